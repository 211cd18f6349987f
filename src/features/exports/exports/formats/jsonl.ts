import type { Write } from './cells.ts'

export const writeJsonl: Write = async function* (columns, batches) {
  for await (const lines of batches) {
    const texts = lines.map((line) =>
      JSON.stringify(Object.fromEntries(columns.map(({ header, field }) => [header, line[field] ?? null]))),
    )
    if (texts.length > 0) yield Buffer.from(`${texts.join('\n')}\n`)
  }
}
