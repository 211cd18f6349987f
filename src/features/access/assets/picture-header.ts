export type Raster = 'png' | 'jpeg' | 'webp' | 'gif'

/** The kind and the size in pixels that the header of a picture states. */
export interface PictureHeader {
  kind: Raster
  width: number
  height: number
  /** A WebP without loss. */
  lossless: boolean
}

/** Reads a header without decoding the picture. Null for bytes that do not begin like one, or end in their header. */
export function readHeader(bytes: Uint8Array): PictureHeader | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  try {
    return readPng(view) ?? readJpeg(view) ?? readWebp(view) ?? readGif(view)
  } catch (error) {
    // Beyond the end of the bytes.
    if (error instanceof RangeError) return null
    throw error
  }
}

function readPng(view: DataView): PictureHeader | null {
  if (view.getUint32(0) !== 0x89504e47 || view.getUint32(4) !== 0x0d0a1a0a || textAt(view, 12, 4) !== 'IHDR')
    return null
  return { kind: 'png', width: view.getUint32(16), height: view.getUint32(20), lossless: true }
}

function readGif(view: DataView): PictureHeader | null {
  if (!/^GIF8[79]a$/.test(textAt(view, 0, 6))) return null
  return { kind: 'gif', width: view.getUint16(6, true), height: view.getUint16(8, true), lossless: true }
}

function readWebp(view: DataView): PictureHeader | null {
  if (textAt(view, 0, 4) !== 'RIFF' || textAt(view, 8, 4) !== 'WEBP') return null
  // A file that was cut off.
  if (view.getUint32(4, true) + 8 > view.byteLength) return null
  const size = webpSize(view)
  return size && { kind: 'webp', ...size }
}

/** https://developers.google.com/speed/webp/docs/riff_container */
function webpSize(view: DataView): Omit<PictureHeader, 'kind'> | null {
  const uint24 = (at: number) => view.getUint16(at, true) | (view.getUint8(at + 2) << 16)
  switch (textAt(view, 12, 4)) {
    case 'VP8 ':
      return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff, lossless: false }
    case 'VP8L': {
      const bits = view.getUint32(21, true)
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1, lossless: true }
    }
    case 'VP8X':
      return { width: uint24(24) + 1, height: uint24(27) + 1, lossless: hasLosslessChunk(view) }
  }
  return null
}

function hasLosslessChunk(view: DataView): boolean {
  for (let at = 30; at + 8 <= view.byteLength;) {
    if (textAt(view, at, 4) === 'VP8L') return true
    const length = view.getUint32(at + 4, true)
    at += 8 + length + (length & 1)
  }
  return false
}

const START_OF_SCAN = 0xda
const END_OF_IMAGE = Buffer.from([0xff, 0xd9])

/** The largest of all frames, because decoders differ in which one they take. */
function readJpeg(view: DataView): PictureHeader | null {
  if (view.getUint16(0) !== 0xffd8) return null
  let [width, height, at] = [0, 0, 2]
  for (;;) {
    if (view.getUint8(at) !== 0xff) return null
    const marker = view.getUint8(at + 1)
    if (marker === START_OF_SCAN) break
    if (isFrame(marker)) {
      height = Math.max(height, view.getUint16(at + 5))
      width = Math.max(width, view.getUint16(at + 7))
    }
    // Bytes of 0xff may fill up before a marker.
    at += marker === 0xff ? 1 : 2 + view.getUint16(at + 2)
  }
  return hasEnd(view, at) ? { kind: 'jpeg', width, height, lossless: false } : null
}

function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
}

/** Whether the marker of the end follows. A decoder would paint grey what is missing of a JPEG that was cut off. */
function hasEnd(view: DataView, from: number): boolean {
  return Buffer.from(view.buffer, view.byteOffset, view.byteLength).includes(END_OF_IMAGE, from)
}

function textAt(view: DataView, at: number, length: number): string {
  if (at + length > view.byteLength) throw new RangeError('beyond the end')
  return Buffer.from(view.buffer, view.byteOffset + at, length).toString('latin1')
}
