import { GifReader } from 'omggif'

/** The pixels of the first frame, in RGBA. @throws Error for a damaged GIF, or a frame beyond its screen. */
export function firstFrame(bytes: Uint8Array): Uint8Array {
  const reader = new GifReader(bytes)
  const { x, y, width, height } = reader.frameInfo(0)
  if (x + width > reader.width || y + height > reader.height) throw new Error('the frame is larger than the screen')
  const pixels = new Uint8Array(reader.width * reader.height * 4)
  reader.decodeAndBlitFrameRGBA(0, pixels)
  return pixels
}
