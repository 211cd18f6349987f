import { z } from 'zod'
import { SAID_KINDS } from './exchange.ts'

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
