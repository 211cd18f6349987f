import { badRequest, Problem, tooLarge } from './problem.ts'
import { isIdentifier } from './schema-messages.ts'

export const KIB = 1024
export const MIB = 1024 * KIB

const DEEPEST = 64

/**
 * The raw body, never more than `limit` bytes of it in memory, with or without a `Content-Length`.
 * @throws Problem 413 past the limit.
 */
export async function readBody(request: Request, limit: number): Promise<Uint8Array> {
  const declared = request.headers.get('content-length')
  if (declared !== null && Number(declared) > limit) throw tooLarge(limit)
  // Node closes the connection when more arrives than was declared.
  if (declared !== null) return new Uint8Array(await request.arrayBuffer())
  if (!request.body) return new Uint8Array()
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength
    if (size > limit) throw tooLarge(limit)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** @throws Problem 400 for bytes that are not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw badRequest([{ path: '', message: 'The body is not valid UTF-8.' }])
  }
}

/**
 * JSON whose every string can be stored: no NUL, no lone surrogate, no nesting past 64 levels.
 * @throws Problem 400 with the place, 415 for another media type.
 */
export async function readJson(request: Request, limit: number): Promise<unknown> {
  const type = request.headers.get('content-type')
  if (type !== null && !/^application\/([\w.-]+\+)?json\b/i.test(type)) {
    throw new Problem(415, 'unsupported_media_type', { detail: 'Send the body as `Content-Type: application/json`.' })
  }
  const text = decodeUtf8(await readBody(request, limit))
  if (text === '') throw badRequest([{ path: '', message: 'A JSON body is needed.' }])
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw badRequest([{ path: '', message: 'The body is not valid JSON.' }])
  }
  refuseUnstorable(value, '', 0)
  return value
}

/** The fields of a form, the last of those that have one name. @throws Problem 400 for text that cannot be stored, 413, 415. */
export async function readForm(request: Request, limit: number): Promise<Record<string, string>> {
  if (!/^application\/x-www-form-urlencoded\b/i.test(request.headers.get('content-type') ?? '')) {
    throw new Problem(415, 'unsupported_media_type', { detail: 'Send the form as `Content-Type: application/x-www-form-urlencoded`.' })
  }
  const fields = Object.fromEntries(new URLSearchParams(decodeUtf8(await readBody(request, limit))))
  refuseUnstorable(fields, '', 0)
  return fields
}

export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}

function refuseUnstorable(value: unknown, path: string, depth: number): void {
  if (typeof value === 'string') {
    if (!isStorable(value)) throw badRequest([{ path, message: 'Text may not hold NUL characters or lone surrogates.' }])
    return
  }
  if (typeof value !== 'object' || value === null) return
  if (depth >= DEEPEST) throw badRequest([{ path: '', message: `JSON may be nested at most ${DEEPEST} levels deep.` }])
  for (const [key, child] of Object.entries(value)) {
    if (!isStorable(key)) throw badRequest([{ path, message: 'Names may not hold NUL characters or lone surrogates.' }])
    refuseUnstorable(child, isIdentifier(key) ? `${path}${path && '.'}${key}` : path, depth + 1)
  }
}
