import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import { startSlices } from '../../../platform/loop/turns.ts'
import type { About, Stores } from './archive-document.ts'
import { writeHtml } from './archive-html.ts'

const PIECE_BYTES = 128 * 1024

/**
 * The archive as a ZIP: `index.html` for people, `archive.json` for programs. Both read the records for themselves, so
 * that the memory holds a few at a time.
 */
export async function* zipArchive(about: About, stores: Stores): AsyncGenerator<Buffer> {
  const zip = new ZipFile()
  const output = zip.outputStream as Readable
  const files = { 'index.html': writeHtml(about, stores), 'archive.json': writeJson(about, stores) }
  for (const [name, texts] of Object.entries(files)) {
    const file = Readable.from(inPieces(texts))
    // The error of the records ends the archive.
    file.on('error', (error) => output.destroy(error))
    zip.addReadStream(file, name, { mtime: new Date(about.created_at) })
  }
  zip.end()
  for await (const piece of output) yield piece as Buffer
}

async function* writeJson(about: About, stores: Stores): AsyncGenerator<string> {
  yield `${JSON.stringify(about).slice(0, -1)},"stores":{`
  let separator = ''
  for (const [name, read] of stores) {
    let isFirst = true
    for await (const record of read()) {
      yield `${isFirst ? `${separator}\n${JSON.stringify(name)}:[` : ','}\n${JSON.stringify(record)}`
      isFirst = false
    }
    if (isFirst) continue
    yield ']'
    separator = ','
  }
  yield '\n}}\n'
}

async function* inPieces(texts: AsyncIterable<string>): AsyncGenerator<Buffer> {
  const slices = startSlices()
  let text = ''
  for await (const each of texts) {
    text += each
    if (text.length >= PIECE_BYTES) {
      yield* cut(Buffer.from(text))
      text = ''
    }
    if (slices.isOver()) await slices.next()
  }
  yield* cut(Buffer.from(text))
}

function* cut(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES)
}
