import { deflateSync, crc32 } from 'node:zlib'
import { Transformer } from '@napi-rs/image'

/** A picture of one colour, drawn anew in any type that becomes an asset. */
export function drawPicture(type: 'png' | 'jpeg' | 'webp', width = 8, height = 4, shade = 90): Buffer {
  const pixels = Buffer.alloc(width * height * 4, shade)
  const image = Transformer.fromRgbaPixels(pixels, width, height)
  return type === 'png' ? image.pngSync() : type === 'jpeg' ? image.jpegSync(80) : image.webpSync(80)
}

/** A PNG of any size that its header states, with some bytes of pixels. */
export function pngOf(width: number, height: number, pixels: Buffer = Buffer.alloc(0)): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // Eight bits of grey.
  header.set([8, 0, 0, 0, 0], 8)
  const signature = Buffer.from('89504e470d0a1a0a', 'hex')
  return Buffer.concat([
    signature,
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(pixels)),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

/** Puts a text chunk behind the header of a PNG. */
export function withPngText(png: Buffer, text: string): Buffer {
  const afterHeader = 8 + 25
  const chunk = pngChunk('tEXt', Buffer.from(`Comment\0${text}`))
  return Buffer.concat([png.subarray(0, afterHeader), chunk, png.subarray(afterHeader)])
}

/** Puts EXIF with a description and an orientation behind the first marker of a JPEG. */
export function withExif(jpeg: Buffer, description: string, orientation: number): Buffer {
  const text = Buffer.from(`${description}\0`)
  const tiff = Buffer.alloc(8 + 2 + 24 + 4)
  tiff.write('II*\0', 'latin1')
  tiff.writeUInt32LE(8, 4)
  tiff.writeUInt16LE(2, 8)
  const entry = (at: number, tag: number, type: number, count: number, value: number) => {
    tiff.writeUInt16LE(tag, at)
    tiff.writeUInt16LE(type, at + 2)
    tiff.writeUInt32LE(count, at + 4)
    tiff.writeUInt32LE(value, at + 8)
  }
  entry(10, 0x010e, 2, text.length, tiff.length)
  entry(22, 0x0112, 3, 1, orientation)
  const body = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff, text])
  const marker = Buffer.alloc(4)
  marker.writeUInt16BE(0xffe1, 0)
  marker.writeUInt16BE(body.length + 2, 2)
  return Buffer.concat([jpeg.subarray(0, 2), marker, body, jpeg.subarray(2)])
}

/** Two frames of 2 × 1 pixels, and a comment. */
export function drawGif(comment: string): Buffer {
  const frame = Buffer.from('2c0000000002000100000202440a00', 'hex')
  const words = Buffer.from(comment)
  return Buffer.concat([
    Buffer.from('GIF89a'),
    Buffer.from('02000100800000', 'hex'),
    Buffer.from('ff000000ff00', 'hex'),
    Buffer.from([0x21, 0xfe, words.length]),
    words,
    Buffer.from([0]),
    frame,
    frame,
    Buffer.from([0x3b]),
  ])
}

function pngChunk(name: string, body: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name), body])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(body.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}
