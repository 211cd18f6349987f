/** A parameter on the wire: text, bytes or NULL. */
export type Parameter = string | Buffer | null

/** Converts a JavaScript value: times to UTC, arrays to array literals, other objects to JSON. */
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

// ISO 8601 writes years past 9999 and before 1 with a sign, which PostgreSQL does not read.
function textOfTime(time: Date): string {
  const year = time.getUTCFullYear()
  const text = time.toISOString()
  if (year > 0 && year <= 9999) return text
  const rest = text.slice(text.indexOf('-', 1))
  return year > 0 ? `${year}${rest}` : `${String(1 - year).padStart(4, '0')}${rest} BC`
}

function arrayLiteral(values: unknown[]): string {
  let text = '{'
  let element = ''
  for (let i = 0; i < values.length; i++) {
    // Neighbours are often equal, and a long text takes a microsecond to quote.
    if (i === 0 || values[i] !== values[i - 1]) element = elementOf(values[i])
    text += i === 0 ? element : `,${element}`
  }
  return `${text}}`
}

// Values that need no quotes in a literal, such as ids and numbers.
const PLAIN = /^(?!null$)[\w.:+-]+$/i

function elementOf(value: unknown): string {
  if (value === null || value === undefined) return 'NULL'
  if (typeof value === 'number') return String(value)
  if (Array.isArray(value)) return arrayLiteral(value)
  const parameter = parameterOf(value)
  const text = typeof parameter === 'string' ? parameter : `\\x${parameter?.toString('hex')}`
  return PLAIN.test(text) ? text : `"${text.replace(/["\\]/g, '\\$&')}"`
}
