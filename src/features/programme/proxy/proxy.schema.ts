import { z } from 'zod'

export const FetchPage = z
  .strictObject({
    url: z.string().min(1).max(2_048).describe('An http(s) address of a web page.'),
    survey_id: z.string().max(60).describe('The survey that the embed script shows.'),
  })
  .meta({ id: 'FetchPage' })

export const FetchedPage = z
  .object({
    url: z.string().describe('The address of the page, after its redirects.'),
    status: z.number().int().describe("The target's HTTP status."),
    html: z.string().describe('The page with the embed script. Show it only in a sandboxed frame of an opaque origin.'),
  })
  .meta({ id: 'FetchedPage' })
