import { composed } from '../../platform/text/composed.ts'
import { badRequest, Problem, tooLarge } from '../problems/problem.ts'
import { unfinishedBodies } from './body-budget.ts'
import { WAITED_FOR_AT_MOST } from './whole-bodies.ts'

export const KIB = 1024
export const MIB = 1024 * KIB

export const NOT_UTF8 = 'The body is not valid UTF-8.'
const TINY_CHUNKS = 'The chunks of this body are too small. Send larger ones, or the whole with `Content-Length`.'

const read = new WeakMap<Request, Uint8Array>()

/**
 * Awaited before more than `past` bytes of a body are read. While others want its place, the rest has to come at a
 * pace.
 */
interface Gate {
  past: number
  enter(): Promise<void>
  isWanted(): boolean
}

// So many chunks in a row have 4 bytes each on average. For the first 256 KiB, the server looks at the frames.
const CHUNKS_IN_A_ROW = 1_024
const LEAST_IN_A_ROW = 4 * CHUNKS_IN_A_ROW

// Others wait for the place of a large body. A client with 1 Mbit/s is twice as fast.
const PACE_MS = 4_000
const LEAST_BYTES = 256 * KIB

/**
 * The raw body. A second call gets the same bytes.
 * @throws Problem 408 for a large body that comes too slowly while others wait, 413 past the limit,
 * 415 if it is compressed.
 */
export async function readBody(request: Request, limit: number, gate?: Gate): Promise<Uint8Array> {
  const bytes = read.get(request) ?? (await readOnce(request, limit, gate))
  read.set(request, bytes)
  return bytes
}

/** Reads at most `limit` bytes into memory, with or without a `Content-Length`. @throws Problem 413 past the limit. */
async function readOnce(request: Request, limit: number, gate?: Gate): Promise<Uint8Array> {
  refuseEncoded(request)
  const declared = request.headers.get('content-length')
  if (declared !== null && Number(declared) > limit) throw tooLarge(limit)
  const mustEnter = gate !== undefined && Number(declared) > gate.past
  if (mustEnter) await gate.enter()
  // If more bytes arrive than were declared, Node closes the connection. If fewer arrive, the read fails.
  // The server has read such a body before the request began.
  if (declared !== null && Number(declared) <= WAITED_FOR_AT_MOST) return new Uint8Array(await request.arrayBuffer())
  if (!request.body) return new Uint8Array()
  // Joining the chunks of 10 MiB at the end takes 20 ms and twice the memory.
  const whole = declared === null ? null : new Uint8Array(Number(declared))
  const chunks: Uint8Array[] = []
  let size = 0
  let pieces = 0
  let sizeBefore = 0
  const reader = (request.body as ReadableStream<Uint8Array>).getReader()
  const end = () => void reader.cancel().catch(() => {})
  const watch = () => (gate ? watchPace(gate, () => size, end) : null)
  let pace = mustEnter ? watch() : null
  let isGivenUp = false
  // Bodies that enter a gate have a place of their own.
  const held = unfinishedBodies.begin(request.headers.get('authorization') ?? '', () => {
    isGivenUp = true
    end()
  })
  try {
    for (;;) {
      const { done, value: chunk } = await reader.read()
      if (isGivenUp || pace?.isLost()) throw tooSlow()
      if (done) break
      size += chunk.byteLength
      if (!pace) held.add(chunk.byteLength)
      pieces += 1
      if (size > limit) throw tooLarge(limit)
      if (pieces % CHUNKS_IN_A_ROW === 0) {
        if (size - sizeBefore < LEAST_IN_A_ROW) throw badRequest([{ path: '', message: TINY_CHUNKS }])
        sizeBefore = size
      }
      if (!whole && gate && size > gate.past && size - chunk.byteLength <= gate.past) {
        await gate.enter()
        held.release()
        pace = watch()
      }
      if (whole) whole.set(chunk, size - chunk.byteLength)
      else chunks.push(chunk)
    }
  } catch (error) {
    void reader.cancel().catch(() => {})
    throw error
  } finally {
    held.release()
    pace?.stop()
  }
  return whole ?? Buffer.concat(chunks)
}

/** Calls `lose` once fewer bytes than the least come within a span, and others want the place. */
function watchPace(gate: Gate, sizeNow: () => number, lose: () => void): { isLost(): boolean; stop(): void } {
  let before = sizeNow()
  let isLost = false
  const timer = setInterval(() => {
    const now = sizeNow()
    if (now - before < LEAST_BYTES && gate.isWanted()) {
      isLost = true
      clearInterval(timer)
      lose()
    }
    before = now
  }, PACE_MS)
  return { isLost: () => isLost, stop: () => clearInterval(timer) }
}

function tooSlow(): Problem {
  const detail = 'This body came too slowly while others waited. Send it again, or in smaller parts.'
  return new Problem(408, 'request_timeout', { detail })
}

/** @throws Problem 415. A few compressed bytes could become gigabytes. */
function refuseEncoded(request: Request): void {
  const encodings = (request.headers.get('content-encoding') ?? '').split(',').map((name) => name.trim().toLowerCase())
  if (encodings.every((name) => name === '' || name === 'identity')) return
  throw new Problem(415, 'unsupported_content_encoding', {
    detail: 'Send the body uncompressed, without `Content-Encoding`. The server does not unpack bodies.',
  })
}

/** @throws Problem 400 for bytes that are not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw badRequest([{ path: '', message: NOT_UTF8 }])
  }
}

// The largest page has 2,500 controls, a text under each "Other", 100 custom fields and a dozen hidden ones. A body of
// 256 KiB has room for 130,000 names, which take 0.1 s to decode.
export const MOST_FIELDS = 5_000

/** Reads a posted form without decoding it. @throws Problem 413, also for too many fields, 415. */
export async function readFormText(request: Request, limit: number): Promise<string> {
  if (!/^application\/x-www-form-urlencoded\b/i.test(request.headers.get('content-type') ?? '')) {
    throw new Problem(415, 'unsupported_media_type', {
      detail: 'Send the form as `Content-Type: application/x-www-form-urlencoded`.',
    })
  }
  const text = decodeUtf8(await readBody(request, limit))
  if (hasMoreFields(text, MOST_FIELDS))
    throw new Problem(413, 'too_large', { detail: `A form can have at most ${MOST_FIELDS} fields. Send fewer.` })
  return text
}

/** Whether a form has more than `most` fields. Only the signs between them are looked at. */
function hasMoreFields(form: string, most: number): boolean {
  let fields = 1
  for (let at = form.indexOf('&'); at !== -1 && fields <= most; at = form.indexOf('&', at + 1)) fields += 1
  return fields > most
}

/**
 * Reads the fields of a form. The last field of a name wins.
 * @throws Problem 400 for text that cannot be stored, 413, 415.
 */
export async function readForm(request: Request, limit: number): Promise<Record<string, string>> {
  const fields = [...new URLSearchParams(await readFormText(request, limit))]
  if (!fields.flat().every(isStorable))
    throw badRequest([{ path: '', message: 'Remove the NUL characters and lone surrogates from the text.' }])
  return Object.fromEntries(fields.map(([name, value]) => [name, composed(value)]))
}

export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}
