import { LABELS, type Label } from '../../src/features/answers/verbatim/verbatim-rows.ts'

export interface Judged {
  truth: Label
  guess: Label
}

/** Lines of `label<tab>text`. */
export function readTexts(file: string): Array<{ label: Label; text: string }> {
  return file
    .split('\n')
    .filter((line) => line.includes('\t'))
    .map((line) => {
      const [label = '', text = ''] = line.split('\t')
      const known = LABELS.find((each) => each === label)
      if (!known) throw new Error(`no label: ${line}`)
      return { label: known, text }
    })
}

export function scoreOf(judged: Judged[]): { macroF1: number; f1: Record<Label, number> } {
  const f1 = Object.fromEntries(LABELS.map((label) => [label, f1Of(judged, label)])) as Record<Label, number>
  return { macroF1: LABELS.reduce((sum, label) => sum + f1[label], 0) / LABELS.length, f1 }
}

/** The confusion table in Markdown: rows are the truth, columns the guess. */
export function tableOf(judged: Judged[]): string {
  const { f1 } = scoreOf(judged)
  const rows = LABELS.map((truth) => {
    const counts = LABELS.map((guess) => judged.filter((one) => one.truth === truth && one.guess === guess).length)
    return `| ${truth} | ${counts.join(' | ')} | ${f1[truth].toFixed(3)} |`
  })
  return ['| | ' + LABELS.map((label) => `as ${label}`).join(' | ') + ' | F1 |', '|---|---|---|---|---|', ...rows].join(
    '\n',
  )
}

function f1Of(judged: Judged[], label: Label): number {
  const hits = judged.filter(({ truth, guess }) => truth === label && guess === label).length
  const given = judged.filter(({ truth }) => truth === label).length
  const guessed = judged.filter(({ guess }) => guess === label).length
  return hits === 0 ? 0 : (2 * hits) / (given + guessed)
}
