import { z } from 'zod'

export const EmbedQuery = z.object({
  lang: z.string().max(40).optional().describe('The language of the words on the button and the frame.'),
})

export const EmbedDemoQuery = z.object({
  survey: z.string().max(64).optional().describe('The survey to show in every mode.'),
})
