import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { parentPort } from 'node:worker_threads'
import { Transformer } from '@napi-rs/image'
import { MOST_BYTES, refusal, sizeRefusal, type Picture, type PictureRefusal } from './picture.ts'
import { readHeader, type PictureHeader } from './picture-header.ts'
import { cleanSvg } from './svg-safety.ts'
import { GifReader } from 'omggif'

/** A body as it came. */
export interface PictureTask {
  body: Uint8Array
  contentType: string
}

export type PictureResult = { picture: Picture; alt: string | null } | PictureRefusal

const JPEG_QUALITY = 85
const WEBP_QUALITY = 85
const DAMAGED = refusal('invalid_picture', 'The picture is damaged or incomplete. Save it again and upload that file.')
const NO_FILE = refusal('no_file', 'Send the picture as the form field `file`.')

// omggif prints a line if pixels are missing.
Object.assign(console, { log() {} })

// Decoded pixels lie outside the heap, where their weight starts no collection.
setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

parentPort?.on('message', async (task: PictureTask) => {
  parentPort?.postMessage(await resultOf(task))
  setImmediate(collect)
})

async function resultOf({ body, contentType }: PictureTask): Promise<PictureResult> {
  if (!/^multipart\/form-data\b/i.test(contentType)) return drawn(body, null)
  const form = await formOf(body, contentType)
  const file = form?.get('file')
  const alt = form?.get('alt') ?? null
  if (!(file instanceof Blob)) return NO_FILE
  return drawn(new Uint8Array(await file.arrayBuffer()), typeof alt === 'string' ? alt : null)
}

async function formOf(body: Uint8Array, contentType: string): Promise<FormData | null> {
  try {
    return await new Response(body as Uint8Array<ArrayBuffer>, { headers: { 'content-type': contentType } }).formData()
  } catch {
    return null
  }
}

function drawn(bytes: Uint8Array, alt: string | null): PictureResult {
  if (bytes.byteLength === 0) return NO_FILE
  if (bytes.byteLength > MOST_BYTES)
    return refusal('too_many_bytes', 'The picture has more than 2 MiB. Make it smaller.')
  const header = readHeader(bytes)
  const result = header ? redrawn(bytes, header) : cleanSvg(bytes)
  return 'refused' in result ? result : { picture: result, alt }
}

/** Only pixels pass, so metadata, trailing bytes and further frames stay behind. */
function redrawn(bytes: Uint8Array, header: PictureHeader): Picture | PictureRefusal {
  const tooLarge = sizeRefusal(header)
  if (tooLarge) return tooLarge
  try {
    const { type, encoded } = encode(bytes, header)
    const size = readHeader(encoded)
    if (!size) return DAMAGED
    return { type, width: size.width, height: size.height, bytes: encoded }
  } catch {
    return DAMAGED
  }
}

function encode(
  bytes: Uint8Array,
  { kind, lossless, width, height }: PictureHeader,
): { type: Picture['type']; encoded: Buffer } {
  if (kind === 'gif') {
    const frame = Transformer.fromRgbaPixels(firstFrame(bytes), width, height)
    return { type: 'image/png', encoded: frame.pngSync() }
  }
  // As its camera was held.
  const image = new Transformer(bytes).rotate()
  if (kind === 'jpeg') return { type: 'image/jpeg', encoded: image.jpegSync(JPEG_QUALITY) }
  if (kind === 'png') return { type: 'image/png', encoded: image.pngSync() }
  return { type: 'image/webp', encoded: lossless ? image.webpLosslessSync() : image.webpSync(WEBP_QUALITY) }
}

/** The pixels of the first frame, in RGBA. @throws Error for a damaged GIF, or a frame beyond its screen. */
function firstFrame(bytes: Uint8Array): Uint8Array {
  const reader = new GifReader(bytes)
  const { x, y, width, height } = reader.frameInfo(0)
  if (x + width > reader.width || y + height > reader.height) throw new Error('the frame is larger than the screen')
  const pixels = new Uint8Array(reader.width * reader.height * 4)
  reader.decodeAndBlitFrameRGBA(0, pixels)
  return pixels
}
