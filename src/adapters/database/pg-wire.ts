/** A parameter as it travels: text, bytes, or NULL. */
export type Parameter = string | Buffer | null

const UNNAMED = ''
const ROOM = 64 * 1024
// After a rare large message the room for it is given back.
const KEPT_AT_MOST = 1024 * 1024

/** Bytes of one write: messages of PostgreSQL's extended query protocol (its documentation, "Message Formats"). */
export class WireWriter {
  #bytes = Buffer.allocUnsafe(ROOM)
  #at = 0

  parse(name: string | undefined, text: string): void {
    const start = this.#begin('P')
    this.#terminated(name ?? UNNAMED)
    this.#terminated(text)
    this.#int16(0)
    this.#end(start)
  }

  bind(name: string | undefined, parameters: Parameter[]): void {
    const start = this.#begin('B')
    this.#terminated(UNNAMED)
    this.#terminated(name ?? UNNAMED)
    this.#int16(parameters.length)
    for (const parameter of parameters) this.#int16(typeof parameter === 'object' && parameter !== null ? 1 : 0)
    this.#int16(parameters.length)
    for (const parameter of parameters) this.#value(parameter)
    // Results come as text.
    this.#int16(0)
    this.#end(start)
  }

  describe(): void {
    const start = this.#begin('D')
    this.#terminated('P')
    this.#end(start)
  }

  execute(): void {
    const start = this.#begin('E')
    this.#terminated(UNNAMED)
    this.#int32(0)
    this.#end(start)
  }

  sync(): void {
    this.#end(this.#begin('S'))
  }

  /** What was written since the last time. */
  take(): Buffer {
    const taken = Buffer.from(this.#bytes.subarray(0, this.#at))
    this.#at = 0
    if (this.#bytes.length > KEPT_AT_MOST) this.#bytes = Buffer.allocUnsafe(ROOM)
    return taken
  }

  #begin(code: string): number {
    this.#room(5)
    this.#bytes[this.#at] = code.charCodeAt(0)
    this.#at += 5
    return this.#at - 4
  }

  #end(start: number): void {
    this.#bytes.writeInt32BE(this.#at - start, start)
  }

  #value(parameter: Parameter): void {
    if (parameter === null) return this.#int32(-1)
    // UTF-8 takes at most three bytes for each UTF-16 unit.
    this.#room(4 + parameter.length * 3)
    const start = this.#at + 4
    const length = typeof parameter === 'string' ? this.#bytes.write(parameter, start) : parameter.copy(this.#bytes, start)
    this.#bytes.writeInt32BE(length, this.#at)
    this.#at = start + length
  }

  #terminated(text: string): void {
    this.#room(text.length * 3 + 1)
    this.#at += this.#bytes.write(text, this.#at)
    this.#bytes[this.#at++] = 0
  }

  #int16(value: number): void {
    this.#room(2)
    this.#at = this.#bytes.writeUInt16BE(value, this.#at)
  }

  #int32(value: number): void {
    this.#room(4)
    this.#at = this.#bytes.writeInt32BE(value, this.#at)
  }

  #room(bytes: number): void {
    if (this.#at + bytes <= this.#bytes.length) return
    const grown = Buffer.allocUnsafe((this.#at + bytes) * 2)
    this.#bytes.copy(grown, 0, 0, this.#at)
    this.#bytes = grown
  }
}

/** A JavaScript value as a parameter: times in UTC, arrays as literals of arrays, other objects as JSON. */
export function parameterOf(value: unknown): Parameter {
  if (typeof value === 'string') return value
  if (value === null || value === undefined) return null
  if (typeof value !== 'object') return String(value)
  if (value instanceof Date) return textOfTime(value)
  if (Array.isArray(value)) return arrayLiteral(value)
  if (Buffer.isBuffer(value)) return value
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength)
  return JSON.stringify(value)
}

// A year past 9999 has a sign in ISO 8601, which PostgreSQL does not read; nor has it one before the first.
function textOfTime(time: Date): string {
  const year = time.getUTCFullYear()
  const text = time.toISOString()
  if (year > 0 && year <= 9999) return text
  const rest = text.slice(text.indexOf('-', 1))
  return year > 0 ? `${year}${rest}` : `${String(1 - year).padStart(4, '0')}${rest} BC`
}

function arrayLiteral(values: unknown[]): string {
  let text = '{'
  for (let i = 0; i < values.length; i++) text += i === 0 ? elementOf(values[i]) : `,${elementOf(values[i])}`
  return `${text}}`
}

// What needs no quotes in a literal, as ids and numbers do not.
const PLAIN = /^(?!null$)[\w.:+-]+$/i

function elementOf(value: unknown): string {
  if (value === null || value === undefined) return 'NULL'
  if (Array.isArray(value)) return arrayLiteral(value)
  const parameter = parameterOf(value)
  const text = typeof parameter === 'string' ? parameter : `\\x${parameter?.toString('hex')}`
  return PLAIN.test(text) ? text : `"${text.replace(/["\\]/g, '\\$&')}"`
}
