import { isUtf8 } from 'node:buffer'
import { TokenParser, Tokenizer, TokenType } from '@streamparser/json'
import { composed, composeWithin } from '../../platform/text/composed.ts'
import { startSlices, type Slices } from '../../platform/loop/turns.ts'
import { decodeUtf8, isStorable, KIB, NOT_UTF8, readBody } from './body.ts'
import { badRequest, Problem } from '../problems/problem.ts'
import { isIdentifier } from './schema-messages.ts'

const DEEPEST = 64
// JSON.parse takes up to 130 µs for a KiB of names and cannot be interrupted.
const AT_ONCE = 96 * KIB
const SLICE = 8 * KIB
// A body that takes less than 1 ms does not wait.
const SHORT = 8 * KIB
// Names count too. The choices of a survey have one token for each 5 bytes.
const BYTES_PER_TOKEN = 4
const MOST_TOKENS = 1_000_000
// An empty object takes 100 bytes of memory in the parser. An import of 50,000 rows has as many objects.
const MOST_CONTAINERS = 100_000
// The limit for one member of a body, or one item of its list: each is validated in one step. Objects and lists count
// 5.
const MOST_WEIGHT = 25_000
const CONTAINER_WEIGHT = 5
// Each name of an object whose names are free is validated too. A survey has at most 200 questions.
const MOST_NAMES = 5_000
// Of one part, in one step: 20 ms.
const MOST_COMPOSED = 500_000
const LONGEST_NUMBER = 1_000
const MOST_MEMBERS = 1_000

const OPENS = new Set([TokenType.LEFT_BRACE, TokenType.LEFT_BRACKET])
const CLOSES = new Set([TokenType.RIGHT_BRACE, TokenType.RIGHT_BRACKET])

/** Objects would lose it, or change by it. */
const PROTOTYPE = '__proto__'
const NOT_A_NAME = 'Rename the member `__proto__`. This name is not allowed.'
const INVALID = 'The body is not valid JSON.'
const UNSTORABLE = 'Remove the NUL characters and lone surrogates from the text.'

/**
 * Reads JSON whose strings can all be stored: no NUL, no lone surrogate, at most 64 levels. A large body is read in
 * slices and may hold a limited number of values.
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
  if (bytes.byteLength === 0) throw refused('Send a JSON body.')
  const slices = startSlices()
  if (bytes.byteLength > SHORT && slices.isLate()) await slices.next()
  const value = bytes.byteLength <= AT_ONCE ? parseAtOnce(bytes) : await parseInSlices(bytes, mostTokens)
  await inspect(value, slices)
  return typeof value === 'string' ? composed(value) : value
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
  constructor() {
    super({ stringBufferSize: 16 * KIB, numberBufferSize: KIB })
    // Its own decoder drops U+FEFF wherever a part of a text begins with it.
    Object.assign(this['bufferedString'], { decoder: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }) })
  }

  // Parsing ten million digits takes 100 ms. A double has only 17 digits and an exponent.
  protected override parseNumber(text: string): number {
    if (text.length > LONGEST_NUMBER) throw refused(`A number can have at most ${LONGEST_NUMBER} characters.`)
    return Number(text)
  }
}

async function parseInSlices(bytes: Uint8Array, mostTokens: number): Promise<unknown> {
  if (!isUtf8(bytes)) throw refused(NOT_UTF8)
  const found: unknown[] = []
  const values = new TokenParser({ paths: ['$'] })
  values.onValue = ({ value }) => void found.push(value)
  const tokens = new BoundedTokenizer()
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
      throw refused(`The body can have at most ${MOST_CONTAINERS} objects and lists. Send several smaller ones.`)
    if (token.token === TokenType.COLON) {
      // The parser would make this value the prototype of the object.
      if (before === PROTOTYPE) throw refused(NOT_A_NAME)
      if (depth === 1) members += 1
      if (members > MOST_MEMBERS) throw refused(`The body can have at most ${MOST_MEMBERS} members.`)
    } else if (token.token !== TokenType.COMMA && !CLOSES.has(token.token)) count += 1
    if (depth === 2 && OPENS.has(token.token)) inList = token.token === TokenType.LEFT_BRACKET
    // A member or list item is weighed once it is complete. Far too large ones stop here.
    if (depth < 2 || (depth === 2 && inList)) countBefore = count
    if (count - countBefore > 2 * MOST_WEIGHT) throw refused('One part of the body has too many values. Split it.')
    if (count > mostTokens)
      throw refused(`The body can have at most ${mostTokens} names and values. Send several smaller ones.`)
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

/**
 * Gives each text its composed form.
 * @throws Problem 400 if a text cannot be stored, or a part is too large to validate in one step.
 */
async function inspect(body: unknown, slices: Slices): Promise<void> {
  if (typeof body !== 'object' || body === null) return requireClean(body, '')
  const members = body as Record<string, unknown>
  for (const name of Object.keys(body)) {
    const member = members[name]
    const path = Array.isArray(body) || isIdentifier(name) ? name : ''
    if (name === PROTOTYPE) throw refused(NOT_A_NAME)
    if (!isStorable(name)) throw unstorableName('')
    if (!Array.isArray(member)) members[name] = cleaned(member, path)
    else {
      for (let index = 0; index < member.length; index++) {
        member[index] = cleaned(member[index], path === '' ? '' : `${path}.${index}`)
        if (slices.isOver()) await slices.next()
      }
    }
    if (slices.isOver()) await slices.next()
  }
}

function requireClean(value: unknown, path: string): void {
  const weight = weigh(value, 1)
  if (weight === BROKEN) throw problemOf(value, path, 1)
  if (weight > MOST_WEIGHT) throw badRequest([{ path, message: 'This has too many values. Split it.' }])
}

function cleaned(value: unknown, path: string): unknown {
  requireClean(value, path)
  return composeWithin(value, { left: MOST_COMPOSED })
}

const BROKEN = -1

/** Counts the values to validate, up to the limit. `BROKEN` if a text cannot be stored. */
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
  let names = 0
  for (const name in value) {
    names += 1
    if (names > MOST_NAMES) return MOST_WEIGHT + 1
    if (name === PROTOTYPE || !isStorable(name)) return BROKEN
    const more = weigh((value as Record<string, unknown>)[name], depth + 1)
    if (more === BROKEN) return BROKEN
    weight += more
    if (weight > MOST_WEIGHT) break
  }
  return weight
}

/** Finds the broken text. Runs only once one is known to exist. */
function problemOf(value: unknown, path: string, depth: number): Problem {
  if (typeof value !== 'object' || value === null) return badRequest([{ path, message: UNSTORABLE }])
  if (depth >= DEEPEST) return tooDeep()
  for (const [name, child] of membersOf(value)) {
    if (name === PROTOTYPE) return badRequest([{ path, message: NOT_A_NAME }])
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
  return refused(`JSON can be nested at most ${DEEPEST} levels deep.`)
}

function unstorableName(path: string): Problem {
  return badRequest([{ path, message: 'Remove the NUL characters and lone surrogates from the names.' }])
}
