// A spreadsheet runs a cell that begins so, in some languages with the full-width or small form too. An apostrophe is
// doubled, so that removing one gives the text again.
const RUNS = "[=+\\-@＝＋－＠﹦﹢﹣﹫\\t\\r\\n']"
// A spreadsheet of another country splits a file at another sign than its delimiter, and does not see the quotes.
const SPLITS = [',', ';']

interface Guard {
  /** A text that no spreadsheet runs. */
  guarded(text: string): string
  /** The text before it was guarded. An apostrophe that the guard does not write stays. */
  unguarded(text: string): string
}

const guards = new Map<string, Guard>()

/** @param delimiter of the file. */
export function guardOf(delimiter: string): Guard {
  const known = guards.get(delimiter)
  if (known) return known
  const begins = `(^|[${SPLITS.filter((sign) => sign !== delimiter).join('')}])`
  const [bare, written] = [new RegExp(`${begins}(?=${RUNS})`, 'g'), new RegExp(`${begins}'(?=${RUNS})`, 'g')]
  const guard: Guard = {
    guarded: (text) => text.replaceAll(bare, "$1'"),
    unguarded: (text) => text.replaceAll(written, '$1'),
  }
  guards.set(delimiter, guard)
  return guard
}
