// A spreadsheet runs a cell that begins with one of these signs, in some languages with the full-width or small form
// too. An apostrophe is doubled, so that removing one gives the text again. A spreadsheet of another country splits a
// file at another sign than its delimiter. It does not see the quotes, so a line break gives it a new cell too.
const SIGNS = "=+\\-@＝＋－＠﹦﹢﹣﹫\\t'"
const OTHERS = { ',': ';', ';': ',', others: ',;' }

type Others = keyof typeof OTHERS

// Most texts have no sign at all, and this finds that in a third of the time.
const HAS_SIGN = new RegExp(`[${SIGNS}\\r\\n]`)
const BARE = patterns('')
const GUARDED = patterns("'")

// Such a spreadsheet reads a doubled quote before a sign as an empty part. An empty line runs nothing.
function patterns(mark: string): Record<Others, RegExp> {
  const after = (others: string) =>
    new RegExp(`(^|[${others}])${mark}(?="*[${SIGNS}\\r\\n])|(?<=[\\r\\n])${mark}(?="*[${SIGNS}])`, 'g')
  return { ',': after(OTHERS[',']), ';': after(OTHERS[';']), others: after(OTHERS.others) }
}

/** A text of a file with this delimiter that no spreadsheet runs. */
export function guarded(text: string, delimiter: string): string {
  return HAS_SIGN.test(text) ? text.replaceAll(BARE[othersOf(delimiter)], "$1'") : text
}

/** The text before it was guarded. An apostrophe that the guard does not write stays. */
export function unguarded(text: string, delimiter: string): string {
  return text.replaceAll(GUARDED[othersOf(delimiter)], '$1')
}

function othersOf(delimiter: string): Others {
  return delimiter === ',' || delimiter === ';' ? delimiter : 'others'
}
