// A spreadsheet runs what begins so, in some languages with the full-width or small form too. An apostrophe is doubled,
// so that removing one gives the text again.
const RUNS = /^[=+\-@＝＋－＠﹦﹢﹣﹫\t\r\n']/

/** A text that no spreadsheet runs. */
export function guarded(text: string): string {
  return RUNS.test(text) ? `'${text}` : text
}

/** The text before it was guarded. An apostrophe that the guard does not write stays. */
export function unguarded(text: string): string {
  return text.startsWith("'") && RUNS.test(text.slice(1)) ? text.slice(1) : text
}
