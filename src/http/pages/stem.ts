import { promisify } from 'node:util'
import { brotliCompress, brotliCompressSync, constants, crc32, deflateRaw, deflateRawSync } from 'node:zlib'
import type { Encoding } from '../compression.ts'
import { AT_ONCE, BROTLI, GZIP } from './compressed.ts'

const toBrotli = promisify(brotliCompress)
const toDeflate = promisify(deflateRaw)

/** The first part of texts that differ only in their end, compressed once for all of them. */
export interface Stem {
  encoding: Encoding | null
  bytes: Buffer
  /** Of the text: its CRC-32 and its bytes. */
  crc: number
  length: number
}

/**
 * Both formats can be flushed at a whole byte, so that more may follow (RFC 1951 section 3.2.4, RFC 7932 section 9.2).
 */
export async function compressStem(text: string, encoding: Encoding | null): Promise<Stem> {
  const plain = Buffer.from(text)
  return { encoding, bytes: await flushed(plain, encoding), crc: crc32(plain), length: plain.length }
}

/**
 * The whole text. Its end is stored as it is, which takes microseconds.
 * @param end 1 to 65,535 bytes of UTF-8.
 */
export function completeStem({ encoding, bytes, crc, length }: Stem, end: string): Buffer<ArrayBuffer> {
  const rest = Buffer.from(end)
  if (rest.length === 0 || rest.length > MOST_STORED) throw new Error(`an end of ${rest.length} bytes`)
  switch (encoding) {
    case null:
      return Buffer.concat([bytes, rest])
    case 'br': {
      // Not the last block, 4 nibbles of length, stored. Then an empty last block.
      const head = Buffer.alloc(3)
      head.writeUIntLE(((rest.length - 1) << 3) | (1 << 19), 0, 3)
      return Buffer.concat([bytes, head, rest, LAST_BROTLI_BLOCK])
    }
    case 'gzip': {
      const head = Buffer.from([1, 0, 0, 0, 0])
      head.writeUInt16LE(rest.length, 1)
      head.writeUInt16LE(rest.length ^ 0xffff, 3)
      const trailer = Buffer.alloc(8)
      trailer.writeUInt32LE(crc32(rest, crc), 0)
      trailer.writeUInt32LE(length + rest.length, 4)
      return Buffer.concat([GZIP_HEADER, bytes, head, rest, trailer])
    }
  }
}

const MOST_STORED = 65_535
const LAST_BROTLI_BLOCK = Buffer.from([3])
// Deflate, no name, no time, unknown system (RFC 1952 section 2.3).
const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff])

function flushed(plain: Buffer, encoding: Encoding | null): Buffer | Promise<Buffer> {
  if (encoding === null) return plain
  const small = plain.length <= AT_ONCE
  if (encoding === 'br') {
    const options = { ...BROTLI, finishFlush: constants.BROTLI_OPERATION_FLUSH }
    return small ? brotliCompressSync(plain, options) : toBrotli(plain, options)
  }
  const options = { ...GZIP, finishFlush: constants.Z_SYNC_FLUSH }
  return small ? deflateRawSync(plain, options) : toDeflate(plain, options)
}
