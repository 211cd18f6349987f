import type { Write } from './cells.ts'

export const writeJsonl: Write = async function* (columns, batches) {
  const names = columns.map(({ header }, at) => `${at === 0 ? '{' : ','}${JSON.stringify(header)}:`)
  for await (const lines of batches) {
    let text = ''
    for (const line of lines) {
      for (const [at, name] of names.entries()) text += name + JSON.stringify(line[at] ?? null)
      text += '}\n'
    }
    if (text !== '') yield Buffer.from(text)
  }
}
