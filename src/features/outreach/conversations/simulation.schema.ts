import { z } from 'zod'
import { languageTag } from '../../surveys/surveys/definition.schema.ts'

const custom_data = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))

export const SimulateSurvey = z
  .strictObject({
    channel: z.enum(['sms', 'voice', 'email', 'web']).default('sms'),
    turns: z
      .array(z.string().max(1_600))
      .max(100)
      .default([])
      .describe('What the person writes, says or presses, one after the other.'),
    language: languageTag.optional().describe('Absent, or one that the survey lacks: its default language.'),
    custom_data: custom_data.default({}).describe('Declared fields, as an invitation would bring them.'),
  })
  .meta({ id: 'SimulateSurvey' })

const state = z
  .enum(['asking', 'completed', 'screened_out', 'partial', 'stopped'])
  .describe(
    '`partial`: too many replies could not be read, or a needed consent was refused; `stopped`: the person wants no messages.',
  )

const SimulatedTurn = z.object({
  heard: z.string().nullable().describe('Null: the survey begins.'),
  say: z.string().describe('Empty: nothing is answered.'),
  question: z.string().nullable().describe('The question that waits then.'),
  part: z.string().nullable().describe('The row or field of it.'),
  understood: z.boolean().describe('False: the reply could not be read, and the question is put again.'),
  state,
})

export const Simulation = z
  .object({
    channel: z.enum(['sms', 'voice', 'email', 'web']),
    language: z.string(),
    turns: z
      .array(SimulatedTurn)
      .describe('The first is what the survey begins with; turns after the end are left out.'),
    state,
    answers: z.record(z.string(), z.unknown()).describe('What would be stored.'),
    lint: z
      .array(z.object({ path: z.string(), message: z.string() }))
      .describe('Questions that do not suit the channel, and why.'),
  })
  .meta({ id: 'Simulation' })
