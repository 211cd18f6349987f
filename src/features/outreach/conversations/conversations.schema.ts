import { z } from 'zod'
import { spokenLanguage } from '../../../platform/schemas/line-schema.ts'
import { SAID_KINDS } from './exchange.ts'

const custom_data = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))

export const SimulateSurvey = z
  .strictObject({
    channel: z.enum(['sms', 'voice', 'email', 'web']).default('sms'),
    turns: z
      .array(z.string().max(1_600))
      .max(100)
      .default([])
      .describe('The person’s messages, words or key presses, in order.'),
    language: spokenLanguage
      .optional()
      .describe('The language of the conversation. If it is absent or the survey lacks it, the default language.'),
    custom_data: custom_data
      .default({})
      .describe('Values for declared custom fields, as an invitation would bring them.'),
  })
  .meta({ id: 'SimulateSurvey' })

const state = z
  .enum(['asking', 'completed', 'screened_out', 'partial', 'stopped'])
  .describe(
    '`partial`: too many replies were not understood, or the person refused a needed consent. `stopped`: the person ' +
      'wants no messages.',
  )

const SimulatedTurn = z.object({
  heard: z.string().nullable().describe('The person’s reply. Null at the beginning of the survey.'),
  say: z.string().describe('The answer of the survey. Empty if it says nothing.'),
  question: z.string().nullable().describe('The id of the question that now waits for a reply.'),
  part: z.string().nullable().describe('The row or field of that question.'),
  understood: z.boolean().describe('False: the reply was not understood, and the question is asked again.'),
  state,
})

export const Simulation = z
  .object({
    channel: z.enum(['sms', 'voice', 'email', 'web']),
    language: z.string(),
    turns: z.array(SimulatedTurn).describe('The first turn begins the survey. Turns after the end are left out.'),
    state,
    answers: z.record(z.string(), z.unknown()).describe('The answers that would be stored.'),
    lint: z
      .array(z.object({ path: z.string(), message: z.string() }))
      .describe('Questions that do not suit the channel, with the reason.'),
  })
  .meta({ id: 'Simulation' })

export const Conversation = z
  .object({
    channel: z.enum(['sms', 'voice']),
    number: z.string().describe('The number of the workspace.'),
    status: z
      .string()
      .describe(
        '`open`, or why it ended: `completed`, `invalid`, `refused`, `stopped`, `expired`, `superseded`, `silent`, ' +
          '`hung_up`, `survey_closed`, `answered_before`, `number_removed`.',
      ),
    turns: z.array(
      z.object({
        at: z.iso.datetime(),
        from: z.enum(['us', 'respondent']),
        kind: z
          .enum([...SAID_KINDS, 'reply'])
          .describe(
            '`reply` is what the respondent wrote or said. `repeat` asks the same again, `closing` is the last.',
          ),
        question_id: z.string().nullable().describe('The question that was asked, or that the reply answers.'),
        text: z.string(),
        confidence: z.number().nullable().describe('For speech: how sure the provider is, from 0 to 1.'),
      }),
    ),
  })
  .meta({ id: 'Conversation' })
