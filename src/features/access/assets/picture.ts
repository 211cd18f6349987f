import { createHash } from 'node:crypto'
import { ASSETS } from '../../../platform/look/asset-address.ts'

/** The formats of pictures that pages may show. Animations become their first frame, so a GIF becomes a PNG. */
const PICTURE_TYPES = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
  'image/svg+xml': 'svg',
} as const

export type PictureType = keyof typeof PICTURE_TYPES

/** A picture that is safe to serve: drawn anew from its pixels, or from the allowed parts of an SVG. */
export interface Picture {
  type: PictureType
  width: number
  height: number
  bytes: Uint8Array
}

/** The most bytes of a picture as it is uploaded. */
export const MOST_BYTES = 2 * 1024 * 1024
/** A photo of 12 megapixels passes. Decoded it takes 50 MB, and 16 bits a channel take twice that. */
export const MOST_PIXELS = 12_500_000
export const MOST_SIDE = 10_000
/** The most characters of an alternative text. */
export const LONGEST_ALT = 500

/** Why a file becomes no picture, in words for its sender. */
export type RefusalCode = 'no_file' | 'too_many_bytes' | 'unknown_type' | 'picture_too_large' | 'invalid_picture'

export interface PictureRefusal {
  refused: RefusalCode
  message: string
}

export function refusal(refused: RefusalCode, message: string): PictureRefusal {
  return { refused, message }
}

/** Null for a size that may be drawn. */
export function sizeRefusal({ width, height }: { width: number; height: number }): PictureRefusal | null {
  if (width < 1 || height < 1)
    return refusal('invalid_picture', 'The picture has no width or no height. Save it again and upload that file.')
  if (width <= MOST_SIDE && height <= MOST_SIDE && width * height <= MOST_PIXELS) return null
  return refusal(
    'picture_too_large',
    `The picture has ${width} × ${height} pixels. Make it smaller: at most ${MOST_SIDE} a side and 12.5 megapixels.`,
  )
}

/** The name of a picture by its content. */
export function hashOf({ type, bytes }: Pick<Picture, 'type' | 'bytes'>): string {
  return createHash('sha256').update(`${type} `).update(bytes).digest('base64url')
}

/** The path of a picture, which changes with its content. */
export function assetPath({ hash, type }: { hash: string; type: PictureType }): string {
  return `${ASSETS}${hash}.${PICTURE_TYPES[type]}`
}
