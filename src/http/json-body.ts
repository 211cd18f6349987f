import { isUtf8 } from 'node:buffer'
import { TokenParser, Tokenizer, TokenType } from '@streamparser/json'
import { startSlices, type Slices } from '../platform/turns.ts'
import { decodeUtf8, isStorable, KIB, NOT_UTF8, readBody } from './body.ts'
import { badRequest, Problem } from './problem.ts'
import { isIdentifier } from './schema-messages.ts'

const DEEPEST = 64
// JSON.parse takes up to 130 µs for a KiB of names, and nothing can interrupt it.
const AT_ONCE = 96 * KIB
const SLICE = 8 * KIB
// Names count too. The choices of a survey have a token for each 5 bytes.
const BYTES_PER_TOKEN = 4
const MOST_TOKENS = 1_000_000
// An empty one takes 100 bytes of memory with what the parser notes of it. An import of 50,000 rows has as many objects.
const MOST_CONTAINERS = 100_000
// Of one member of a body, or one item of a list in it: these are validated in one go. An object or a list counts 5.
const MOST_WEIGHT = 25_000
const CONTAINER_WEIGHT = 5
const LONGEST_NUMBER = 1_000
const MOST_MEMBERS = 1_000

const OPENS = new Set([TokenType.LEFT_BRACE, TokenType.LEFT_BRACKET])
const CLOSES = new Set([TokenType.RIGHT_BRACE, TokenType.RIGHT_BRACKET])

const INVALID = 'The body is not valid JSON.'
const UNSTORABLE = 'Text may not hold NUL characters or lone surrogates.'

/**
 * JSON whose every string can be stored: no NUL, no lone surrogate, no nesting past 64 levels. A large body is read in
 * slices, and has bounds on how many values it holds.
 * @throws Problem 400 with the place, 415 for another media type.
 */
export async function readJson(request: Request, limit: number): Promise<unknown> {
  const type = request.headers.get('content-type')
  if (type !== null && !/^application\/([\w.-]+\+)?json\b/i.test(type)) {
    throw new Problem(415, 'unsupported_media_type', { detail: 'Send the body as `Content-Type: application/json`.' })
  }
  return parseJson(await readBody(request, limit), Math.min(MOST_TOKENS, Math.floor(limit / BYTES_PER_TOKEN)))
}

async function parseJson(bytes: Uint8Array, mostTokens: number): Promise<unknown> {
  if (bytes.byteLength === 0) throw refused('A JSON body is needed.')
  const slices = startSlices()
  const value = bytes.byteLength <= AT_ONCE ? parseAtOnce(bytes) : await parseInSlices(bytes, mostTokens)
  await inspect(value, slices)
  return value
}

function parseAtOnce(bytes: Uint8Array): unknown {
  const text = decodeUtf8(bytes)
  try {
    return JSON.parse(text)
  } catch {
    throw refused(INVALID)
  }
}

class BoundedTokenizer extends Tokenizer {
  // Reading ten million digits takes 100 ms; a double has 17 of them, and an exponent.
  protected override parseNumber(text: string): number {
    if (text.length > LONGEST_NUMBER) throw refused(`A number may have at most ${LONGEST_NUMBER} characters.`)
    return Number(text)
  }
}

async function parseInSlices(bytes: Uint8Array, mostTokens: number): Promise<unknown> {
  if (!isUtf8(bytes)) throw refused(NOT_UTF8)
  const found: unknown[] = []
  const values = new TokenParser({ paths: ['$'] })
  values.onValue = ({ value }) => void found.push(value)
  const tokens = new BoundedTokenizer({ stringBufferSize: 16 * KIB, numberBufferSize: KIB })
  let count = 0
  let containers = 0
  let depth = 0
  let members = 0
  let inList = false
  let countBefore = 0
  let before: unknown
  tokens.onToken = (token) => {
    if (OPENS.has(token.token)) {
      depth += 1
      containers += 1
    } else if (CLOSES.has(token.token)) depth -= 1
    if (depth > DEEPEST) throw tooDeep()
    if (containers > MOST_CONTAINERS)
      throw refused(`The body may hold at most ${MOST_CONTAINERS} objects and lists. Send several smaller ones.`)
    if (token.token === TokenType.COLON) {
      // The parser would make its value the prototype of the object.
      if (before === '__proto__') throw refused('Nothing may be called `__proto__`.')
      if (depth === 1) members += 1
      if (members > MOST_MEMBERS) throw refused(`The body may have at most ${MOST_MEMBERS} members.`)
    } else if (token.token !== TokenType.COMMA && !CLOSES.has(token.token)) count += 1
    if (depth === 2 && OPENS.has(token.token)) inList = token.token === TokenType.LEFT_BRACKET
    // One member, or one item of a list that is a member, is weighed once it is there; far too large ones end here.
    if (depth < 2 || (depth === 2 && inList)) countBefore = count
    if (count - countBefore > 2 * MOST_WEIGHT) throw refused('One part of the body holds too many values. Split it.')
    if (count > mostTokens)
      throw refused(`The body may hold at most ${mostTokens} names and values. Send several smaller ones.`)
    before = token.value
    values.write(token)
  }
  try {
    const slices = startSlices()
    for (let at = 0; at < bytes.byteLength; at += SLICE) {
      if (slices.isOver()) await slices.next()
      tokens.write(bytes.subarray(at, at + SLICE))
    }
    if (!tokens.isEnded) tokens.end()
  } catch (error) {
    if (error instanceof Problem) throw error
    throw refused(INVALID)
  }
  if (found.length === 0) throw refused(INVALID)
  return found[0]
}

/** @throws Problem 400 where a text cannot be stored, or a part of the body is too large to be validated in one go. */
async function inspect(body: unknown, slices: Slices): Promise<void> {
  if (typeof body !== 'object' || body === null) return requireClean(body, '')
  for (const [name, member] of membersOf(body)) {
    const path = Array.isArray(body) || isIdentifier(name) ? name : ''
    if (!isStorable(name)) throw unstorableName('')
    if (!Array.isArray(member)) requireClean(member, path)
    else {
      for (let index = 0; index < member.length; index++) {
        requireClean(member[index], path === '' ? '' : `${path}.${index}`)
        if (slices.isOver()) await slices.next()
      }
    }
    if (slices.isOver()) await slices.next()
  }
}

function requireClean(value: unknown, path: string): void {
  const weight = weigh(value, 1)
  if (weight === BROKEN) throw problemOf(value, path, 1)
  if (weight > MOST_WEIGHT) throw badRequest([{ path, message: 'This holds too many values. Split it.' }])
}

const BROKEN = -1

/** How much there is to validate, as far as the most that may be; `BROKEN` where something cannot be stored. */
function weigh(value: unknown, depth: number): number {
  if (typeof value === 'string') return isStorable(value) ? 1 : BROKEN
  if (typeof value !== 'object' || value === null) return 1
  if (depth >= DEEPEST) return BROKEN
  let weight = CONTAINER_WEIGHT
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length && weight <= MOST_WEIGHT; index++) {
      const more = weigh(value[index], depth + 1)
      if (more === BROKEN) return BROKEN
      weight += more
    }
    return weight
  }
  for (const name in value) {
    if (!isStorable(name)) return BROKEN
    const more = weigh((value as Record<string, unknown>)[name], depth + 1)
    if (more === BROKEN) return BROKEN
    weight += more
    if (weight > MOST_WEIGHT) break
  }
  return weight
}

/** Where it is broken: looked for only once something is known to be. */
function problemOf(value: unknown, path: string, depth: number): Problem {
  if (typeof value !== 'object' || value === null) return badRequest([{ path, message: UNSTORABLE }])
  if (depth >= DEEPEST) return tooDeep()
  for (const [name, child] of membersOf(value)) {
    if (!isStorable(name)) return unstorableName(path)
    if (weigh(child, depth + 1) === BROKEN)
      return problemOf(child, isIdentifier(name) ? `${path}${path && '.'}${name}` : path, depth + 1)
  }
  return badRequest([{ path, message: UNSTORABLE }])
}

function* membersOf(value: object): Generator<[string, unknown]> {
  for (const name in value) yield [name, (value as Record<string, unknown>)[name]]
}

function refused(message: string): Problem {
  return badRequest([{ path: '', message }])
}

function tooDeep(): Problem {
  return refused(`JSON may be nested at most ${DEEPEST} levels deep.`)
}

function unstorableName(path: string): Problem {
  return badRequest([{ path, message: 'Names may not hold NUL characters or lone surrogates.' }])
}
