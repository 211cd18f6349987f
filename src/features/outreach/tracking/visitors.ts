import { isbot } from 'isbot'

/** Signs of who made a request. */
export interface Visit {
  userAgent: string
  method: string
  /** `Sec-Purpose` or `Purpose`: browsers name what they load before somebody asks for it. */
  purpose: string
}

// Mail programs that the list of programs takes for more than that; Gmail and Yahoo fetch pictures when the reader opens the mail.
const MAIL_PROGRAM = /GoogleImageProxy|YahooMailProxy|Outlook-(?:iOS|Android)|^Thunderbird/

/** Whether a person seems to be behind a request. A caller without a user agent is a program. */
export function isPerson({ userAgent, method, purpose }: Visit): boolean {
  if (method === 'HEAD' || /prefetch|prerender|preview/i.test(purpose) || userAgent.trim() === '') return false
  return MAIL_PROGRAM.test(userAgent) || !isbot(userAgent)
}
