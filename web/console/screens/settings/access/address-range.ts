// The API has the last word. This says it before somebody locks themselves out.

interface Parsed {
  bits: 32 | 128
  value: bigint
}

/** An address or a range as a range, such as `192.0.2.7` as `192.0.2.7/32`. Null for anything else. */
export function rangeOf(text: string): string | null {
  const [address = '', length, ...rest] = text.trim().split('/')
  const parsed = parse(address)
  if (!parsed || rest.length > 0) return null
  if (length === undefined) return `${address}/${parsed.bits}`
  return /^\d{1,3}$/.test(length) && Number(length) <= parsed.bits ? `${address}/${Number(length)}` : null
}

/** Whether an address is in a range. */
export function isInRange(address: string, range: string): boolean {
  const [start = '', length = ''] = range.split('/')
  const [own, other] = [parse(plain(address)), parse(start)]
  if (!own || !other || own.bits !== other.bits) return false
  const shift = BigInt(own.bits - Number(length))
  return own.value >> shift === other.value >> shift
}

/** An IPv4 address that came over IPv6 is itself. */
function plain(address: string): string {
  return /^::ffff:\d+\.\d+\.\d+\.\d+$/i.test(address) ? address.slice(7) : address
}

function parse(text: string): Parsed | null {
  if (text.includes(':')) return parseLong(text)
  const value = valueOf(text)
  return value === null ? null : { bits: 32, value }
}

function valueOf(text: string): bigint | null {
  const parts = text.split('.')
  if (parts.length !== 4 || !parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256)) return null
  return parts.reduce((sum, part) => sum * 256n + BigInt(part), 0n)
}

function parseLong(text: string): Parsed | null {
  const last = text.slice(text.lastIndexOf(':') + 1)
  const short = last.includes('.') ? valueOf(last) : undefined
  if (short === null) return null
  const plainText =
    short === undefined
      ? text
      : `${text.slice(0, -last.length)}${(short >> 16n).toString(16)}:${(short & 0xffffn).toString(16)}`
  const halves = plainText.split('::')
  if (halves.length > 2) return null
  const groups = halves.map((half) => (half === '' ? [] : half.split(':')))
  const [head = [], tail = []] = groups
  const missing = 8 - head.length - tail.length
  if (halves.length === 2 ? missing < 1 : missing !== 0) return null
  const all = [...head, ...Array<string>(halves.length === 2 ? missing : 0).fill('0'), ...tail]
  if (!all.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return null
  return { bits: 128, value: all.reduce((sum, group) => sum * 65_536n + BigInt(`0x${group}`), 0n) }
}
