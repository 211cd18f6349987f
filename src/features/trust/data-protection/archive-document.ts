import { z } from 'zod'

const record = z.record(z.string(), z.unknown())
const list = (what: string) => z.array(record).describe(what).optional()

/** The content of an archive, as `docs/archive.schema.json` describes it. A store without data of the person is absent. */
export const ArchiveDocument = z
  .strictObject({
    version: z.literal(1),
    request_id: z.string().regex(/^gdr_[0-9a-z]{26}$/),
    kind: z.enum(['access', 'portability']),
    workspace: z.string().describe('The name of the organisation that asked.'),
    created_at: z.iso.datetime(),
    addresses: z.array(z.strictObject({ kind: z.enum(['email', 'phone']), address: z.string() })),
    stores: z.strictObject({
      responses: list('Answers, texts and custom data.'),
      notes: list('Notes that the organisation wrote.'),
      comments: list('Comments of the organisation on alerts.'),
      alerts: list('Alerts that an answer of the person opened.'),
      verbatim: list('What was found out about texts.'),
      conversations: list('Surveys by SMS and phone.'),
      sends: list('Messages to the person.'),
      people: list('The record of the person, for later surveys.'),
      leads: list('Contact wishes of the person.'),
      events: list('What happened, as it was told to other systems.'),
      deliveries: list('Which other systems were told, and what they answered.'),
      idempotency_keys: list('Answers of the API that are kept for a day, in case a caller asks again.'),
      outbox: list('Mail that waits to be sent.'),
      invitations: list('Invitations to work in the workspace.'),
      exports: list('Exports of the workspace that hold something of the person.'),
      archives: list('Archives of earlier requests.'),
    }),
  })
  .meta({ title: 'Archive of a request for access' })

export type ArchiveDocument = z.infer<typeof ArchiveDocument>

export type About = Omit<ArchiveDocument, 'stores'>

/** Of each store that has something of the person, a way to read its records. */
export type Stores = Map<keyof ArchiveDocument['stores'], () => AsyncIterable<object>>
