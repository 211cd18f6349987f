import { z } from 'zod'

const mode = z.enum(['inline', 'popup', 'slide_in', 'button', 'full'])
export type EmbedMode = z.output<typeof mode>

export const EmbedQuery = z.object({
  mode: mode.optional().describe('How the website shows the survey.'),
  lang: z.string().max(40).optional().describe('The language of the words on the button and the frame.'),
})

export const EmbedDemoQuery = z.object({
  survey: z.string().max(64).optional().describe('The survey to show in every mode.'),
})

export const EmbedList = z
  .object({
    data: z.array(
      z.object({
        origin: z.string().describe('The website, such as `https://shop.example`.'),
        mode,
        first_seen_at: z.iso.datetime().describe('For an anonymous survey, the day.'),
        last_seen_at: z.iso.datetime().describe('To the minute. For an anonymous survey, the day.'),
      }),
    ),
  })
  .meta({ id: 'EmbedList' })
