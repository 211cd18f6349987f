import { createHash } from 'node:crypto'
import { ASSETS } from '../../../platform/look/asset-address.ts'
import { PICTURE_TYPES, type Picture, type PictureType } from './picture.ts'

/** The name of a picture by its content. */
export function hashOf({ type, bytes }: Pick<Picture, 'type' | 'bytes'>): string {
  return createHash('sha256').update(`${type} `).update(bytes).digest('base64url')
}

/** The path of a picture, which changes with its content. */
export function assetPath({ hash, type }: { hash: string; type: PictureType }): string {
  return `${ASSETS}${hash}.${PICTURE_TYPES[type]}`
}
