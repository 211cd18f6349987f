import { ZipFile } from 'yazl'
import { runInSlices } from '../../../platform/loop/turns.ts'
import type { ArchiveDocument } from './archive-document.ts'
import { writeHtml } from './archive-html.ts'

/** The archive as a ZIP: `index.html` for people, `archive.json` for programs. */
export async function zipArchive(document: ArchiveDocument): Promise<Buffer> {
  const zip = new ZipFile()
  const mtime = new Date(document.created_at)
  zip.addBuffer(await joined(writeHtml(document)), 'index.html', { mtime })
  zip.addBuffer(await joined(writeJson(document)), 'archive.json', { mtime })
  zip.end()
  const parts: Buffer[] = []
  for await (const part of zip.outputStream) parts.push(part as Buffer)
  return Buffer.concat(parts)
}

function* writeJson({ stores, ...about }: ArchiveDocument): Generator<string> {
  yield `${JSON.stringify(about).slice(0, -1)},"stores":{`
  let separator = ''
  for (const [name, records] of Object.entries(stores)) {
    yield `${separator}\n${JSON.stringify(name)}:[`
    for (const [index, record] of records.entries()) yield `${index === 0 ? '' : ','}\n${JSON.stringify(record)}`
    yield ']'
    separator = ','
  }
  yield '\n}}\n'
}

async function joined(pieces: Generator<string>): Promise<Buffer> {
  const parts: Buffer[] = []
  await runInSlices(
    (function* () {
      for (const piece of pieces) yield parts.push(Buffer.from(piece))
    })(),
  )
  return Buffer.concat(parts)
}
