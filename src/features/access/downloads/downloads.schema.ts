import { z } from 'zod'

export const CreateTicket = z.strictObject({
  path: z
    .string()
    .max(500)
    .meta({
      description:
        'The path of a `GET` of yours: the manifest or a part of an export, an archive or certificate of a ' +
        'data-protection request, the document of a report, or the definition of a survey.',
    }),
})

export const Ticket = z
  .object({
    url: z.string().meta({ format: 'uri', description: 'It works once, within 60 seconds, without a bearer token.' }),
    expires_at: z.string().meta({ format: 'date-time' }),
  })
  .meta({ id: 'DownloadTicket' })
