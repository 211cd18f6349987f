import { crc32, deflateSync } from 'node:zlib'
import { encode } from 'uqr'

// The margin of four modules that scanners need.
const CODE = { ecc: 'M', border: 4 } as const
// A multiple of 8, so that a module is whole bytes.
const PIXELS_A_MODULE = 16

/** A QR code (ISO/IEC 18004) as SVG: one path, black on white. */
export function qrCodeSvg(text: string, title: string): string {
  const { size, data } = encode(text, CODE)
  const path = data
    .map((row, y) =>
      runsOf(row)
        .map(([x, length]) => `M${x} ${y}h${length}v1h-${length}z`)
        .join(''),
    )
    .join('')
  const escaped = title.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`)
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" width="${size * 8}" height="${size * 8}" shape-rendering="crispEdges" role="img"><title>${escaped}</title><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path d="${path}"/></svg>`
}

/** The same as a PNG (RFC 2083) of one bit a pixel, large enough for print. */
export function qrCodePng(text: string): Buffer {
  const { size, data } = encode(text, CODE)
  const width = size * PIXELS_A_MODULE
  const lines = data.map((row) => {
    // A line begins with its filter, none. A set bit is white.
    const line = Buffer.alloc(1 + width / 8, 255).fill(0, 0, 1)
    row.forEach((dark, x) => {
      if (dark) line.fill(0, 1 + (x * PIXELS_A_MODULE) / 8, 1 + ((x + 1) * PIXELS_A_MODULE) / 8)
    })
    return Buffer.concat(Array.from({ length: PIXELS_A_MODULE }, () => line))
  })
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(width, 4)
  header.writeUInt8(1, 8)
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(lines))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), content])
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(content.byteLength)
  check.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, check])
}

function runsOf(row: boolean[]): Array<[number, number]> {
  const runs: Array<[number, number]> = []
  row.forEach((dark, x) => {
    const last = runs.at(-1)
    if (!dark) return
    if (last && last[0] + last[1] === x) last[1]++
    else runs.push([x, 1])
  })
  return runs
}
