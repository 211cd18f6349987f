/**
 * The proof of work for a start token: a number such that SHA-256 of `<start token>.<number>` begins with so many zero
 * bits. The hash is our own (FIPS 180-4), because `crypto.subtle` is missing without https and slow for short texts.
 */
export function prove(startToken: string, bits: number): string {
  const prefix = new TextEncoder().encode(`${startToken}.`)
  const wholeBytes = prefix.length - (prefix.length % BLOCK_BYTES)
  const begun = new Int32Array(START)
  const whole = new DataView(prefix.buffer)
  for (let at = 0; at < wholeBytes; at += BLOCK_BYTES) compress(begun, whole, at)

  const rest = prefix.subarray(wholeBytes)
  const end = paddedEnd(rest, prefix.length + DIGITS)
  const digest = new Int32Array(START.length)
  for (let number = FIRST_NUMBER; ; number++) {
    for (let at = DIGITS, left = number; at > 0; left = Math.floor(left / 10))
      end.setUint8(rest.length + --at, ZERO + (left % 10))
    digest.set(begun)
    for (let at = 0; at < end.byteLength; at += BLOCK_BYTES) compress(digest, end, at)
    if (digest[0]! >>> (32 - bits) === 0) return String(number)
  }
}

const BLOCK_BYTES = 64
const ZERO = 48
// All numbers have the same count of digits, so that the end of the text keeps its length.
const DIGITS = 10
const FIRST_NUMBER = 10 ** (DIGITS - 1)

/** The last blocks of a text: what is left of it, place for the number, and its length in bits. */
function paddedEnd(rest: Uint8Array, textBytes: number): DataView {
  const bytes = new Uint8Array(Math.ceil((rest.length + DIGITS + 9) / BLOCK_BYTES) * BLOCK_BYTES)
  bytes.set(rest)
  bytes[rest.length + DIGITS] = 0x80
  const end = new DataView(bytes.buffer)
  end.setUint32(bytes.length - 4, textBytes * 8)
  return end
}

const PRIMES: number[] = []
for (let n = 2; PRIMES.length < 64; n++) if (PRIMES.every((prime) => n % prime !== 0)) PRIMES.push(n)
const fraction = (root: number) => (root % 1) * 2 ** 32
const START = Int32Array.from(PRIMES.slice(0, 8), (prime) => fraction(Math.sqrt(prime)))
const ROUNDS = Int32Array.from(PRIMES, (prime) => fraction(Math.cbrt(prime)))

const turned = (word: number, by: number) => (word >>> by) | (word << (32 - by))
const words = new Int32Array(64)

function compress(state: Int32Array, block: DataView, at: number): void {
  for (let i = 0; i < 16; i++) words[i] = block.getInt32(at + 4 * i)
  for (let i = 16; i < 64; i++) {
    const early = words[i - 15]!
    const late = words[i - 2]!
    const low = turned(early, 7) ^ turned(early, 18) ^ (early >>> 3)
    const high = turned(late, 17) ^ turned(late, 19) ^ (late >>> 10)
    words[i] = words[i - 16]! + low + words[i - 7]! + high
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number]
  for (let i = 0; i < 64; i++) {
    const high = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)
    const first = (h + high + ((e & f) ^ (~e & g)) + ROUNDS[i]! + words[i]!) | 0
    const low = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)
    const second = (low + ((a & b) ^ (a & c) ^ (b & c))) | 0
    h = g
    g = f
    f = e
    e = (d + first) | 0
    d = c
    c = b
    b = a
    a = (first + second) | 0
  }
  const mixed = [a, b, c, d, e, f, g, h]
  for (let i = 0; i < 8; i++) state[i] = state[i]! + mixed[i]!
}
