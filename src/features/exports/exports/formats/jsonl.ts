import { piecesOf, type Write } from './cells.ts'

export const writeJsonl: Write = (columns, batches) => {
  const names = columns.map(({ header }, at) => `${at === 0 ? '{' : ','}${JSON.stringify(header)}:`)
  return piecesOf(batches, (line) => {
    let text = ''
    for (const [at, name] of names.entries()) text += name + JSON.stringify(line[at] ?? null)
    return `${text}}\n`
  })
}
