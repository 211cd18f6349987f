import { z } from 'zod'
import { PageQuery, pageOf } from '../../../http/routes/pagination.ts'
import { nameLine } from '../../../platform/schemas/line-schema.ts'

const externalId = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .refine((text) => !text.startsWith('agt_'), 'Earshot reserves ids that begin with agt_. Choose another one.')
  .nullable()
const fields = {
  external_id: externalId.describe('Your own id of the agent. Recipients and responses may name it.'),
  name: nameLine(200),
  team: nameLine(100).nullable(),
  email: z.email().max(254).nullable(),
  active: z.boolean().describe('False: the agent is left out of leaderboards.'),
}

export const Agent = z
  .object({
    id: z.string(),
    external_id: z.string().nullable(),
    name: z.string(),
    team: z.string().nullable(),
    email: z.string().nullable(),
    active: z.boolean(),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'Agent' })
export const AgentList = pageOf(Agent).meta({ id: 'AgentList' })

export const AgentQuery = PageQuery.extend({
  external_id: z.string().max(200).optional(),
  team: z.string().max(100).optional(),
  active: z.enum(['true', 'false']).optional(),
  search: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .optional()
    .describe('A part of the name, in upper or lower case, with or without accents.'),
}).strict()

export const CreateAgent = z
  .strictObject({
    ...fields,
    external_id: fields.external_id.default(null),
    team: fields.team.default(null),
    email: fields.email.default(null),
    active: fields.active.default(true),
  })
  .meta({ id: 'CreateAgent' })

export const UpdateAgent = z.strictObject(fields).partial().meta({ id: 'UpdateAgent' })
