// A spreadsheet runs a cell that begins with one of these signs, in some languages with the full-width or small form
// too. An apostrophe is doubled, so that removing one gives the text again. A spreadsheet of another country splits a
// file at another sign than its delimiter, and does not see the quotes.
const BARE = {
  ',': /(^|;)(?=[=+\-@＝＋－＠﹦﹢﹣﹫\t\r\n'])/g,
  ';': /(^|,)(?=[=+\-@＝＋－＠﹦﹢﹣﹫\t\r\n'])/g,
  others: /(^|[,;])(?=[=+\-@＝＋－＠﹦﹢﹣﹫\t\r\n'])/g,
}
const GUARDED = {
  ',': /(^|;)'(?=[=+\-@＝＋－＠﹦﹢﹣﹫\t\r\n'])/g,
  ';': /(^|,)'(?=[=+\-@＝＋－＠﹦﹢﹣﹫\t\r\n'])/g,
  others: /(^|[,;])'(?=[=+\-@＝＋－＠﹦﹢﹣﹫\t\r\n'])/g,
}

/** A text of a file with this delimiter that no spreadsheet runs. */
export function guarded(text: string, delimiter: string): string {
  return text.replaceAll(delimiter === ',' || delimiter === ';' ? BARE[delimiter] : BARE.others, "$1'")
}

/** The text before it was guarded. An apostrophe that the guard does not write stays. */
export function unguarded(text: string, delimiter: string): string {
  return text.replaceAll(delimiter === ',' || delimiter === ';' ? GUARDED[delimiter] : GUARDED.others, '$1')
}
