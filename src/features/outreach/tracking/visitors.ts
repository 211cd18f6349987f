import { isbot } from 'isbot'

/** Signs of who made a request. */
export interface Visit {
  userAgent: string
  method: string
  /** `Sec-Purpose` or `Purpose`: browsers name what they load before somebody asks for it. */
  purpose: string
}

// They fetch the pictures of a mail when its reader opens it. They do not follow its links.
const MAIL_PROGRAM = /GoogleImageProxy|YahooMailProxy|Outlook-(?:iOS|Android)|^Thunderbird/
// Office and Teams try a link before they hand it to the browser.
const TRIES_LINKS = /\bms-?office\b|\bMicrosoft Office\b|\bSkypeSpaces\b|\bProofpoint\b/i

/** Whether a person seems to have opened a mail. A caller without a user agent is a program. */
export function isReader(visit: Visit): boolean {
  return isAsked(visit) && (MAIL_PROGRAM.test(visit.userAgent) || !isbot(visit.userAgent))
}

/** Whether a person seems to have followed a link, and no program on their behalf. */
export function isFollower(visit: Visit): boolean {
  return isAsked(visit) && !TRIES_LINKS.test(visit.userAgent) && !isbot(visit.userAgent)
}

function isAsked({ userAgent, method, purpose }: Visit): boolean {
  return method !== 'HEAD' && !/prefetch|prerender|preview/i.test(purpose) && userAgent.trim() !== ''
}
