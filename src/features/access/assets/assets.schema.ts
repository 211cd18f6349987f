import { z } from 'zod'
import { LONGEST_ALT } from './picture.ts'

const alt = z
  .string()
  .trim()
  .max(LONGEST_ALT)
  .refine((text) => !text.includes('\0') && text.isWellFormed(), 'Remove the NUL characters and lone surrogates.')
  .describe('What the picture shows, for people who cannot see it.')

export const AssetQuery = z.strictObject({ alt: alt.optional() })

/** The fields of the form, besides the file. */
export const AssetFields = z.object({ alt: alt.nullable() })

export const AssetForm = z
  .object({
    file: z.string().meta({ format: 'binary' }).describe('The picture: PNG, JPEG, WebP, GIF or SVG, at most 2 MiB.'),
    alt: alt.optional(),
  })
  .meta({ id: 'UploadAsset' })

/** The bytes of a picture. */
export const AssetBytes = z.string().meta({ format: 'binary', description: 'The picture itself, at most 2 MiB.' })

export const Asset = z
  .object({
    id: z.string(),
    url: z
      .string()
      .describe('The public address. Other content has another address, so a browser may keep the picture for ever.'),
    type: z.string().describe('The media type, such as `image/png`. A GIF becomes a PNG of its first frame.'),
    width: z.number().int().describe('In pixels.'),
    height: z.number().int().describe('In pixels.'),
    bytes: z.number().int().describe('The size of the picture as it is served.'),
    alt: z.string().nullable().describe('What the picture shows.'),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'Asset' })
