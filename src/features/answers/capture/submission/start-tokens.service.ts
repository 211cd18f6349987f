import { isUuid, type Id } from '../../../../platform/ids.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { withoutMoment } from '../../rows/response-row.ts'
import type { PageSigns } from '../../responses/suspicions.ts'
import { findResponse, type ResponseRow } from '../../responses/responses.service.ts'
import { isProof } from './proof-of-work.ts'

/** The future id of a first page's response, and when that page was shown. */
export interface StartToken {
  id: Id<'response'>
  startedAt: Date
}

const START_TOKEN = 'respondent-page'

/** A hidden field of the first page: the id of the future response, and when the page was shown. */
export function sealStartToken(scope: Scope, surveyId: Id<'survey'>, id: Id<'response'>): string {
  return scope.secrets.seal([surveyId, id, scope.clock.now().getTime()].join(' '), START_TOKEN)
}

/** Null unless this server sealed it: a respondent cannot choose an id or fake a duration. */
export function openStartToken(scope: Scope, surveyId: Id<'survey'>, sealed: string | undefined): StartToken | null {
  if (!sealed) return null
  try {
    const [survey, id = '', at] = scope.secrets.open(sealed, START_TOKEN).split(' ')
    return survey === surveyId && isUuid(id) ? { id: id as Id<'response'>, startedAt: new Date(Number(at)) } : null
  } catch {
    return null
  }
}

/** The response that was begun with it, if there is one. An anonymous survey stores it without its moment. */
export async function findByStartToken(scope: Scope, { id, startedAt }: StartToken): Promise<ResponseRow | undefined> {
  return (await findResponse(scope, id)) ?? (await findResponse(scope, withoutMoment(id, startedAt)))
}

/** Whether a start token of ours comes with the proof of work for it. */
export function isProven(begun: StartToken | null, sealed: string | undefined, proof: string | undefined): boolean {
  return begun !== null && sealed !== undefined && proof !== undefined && isProof(sealed, proof)
}

/** Signs that a form or the script sends besides the answers. A form without a start token is like an API request. */
export function signsOf(begun: StartToken | null, sealed: string | undefined, website: string | undefined): PageSigns {
  return { startIsForged: begun === null && Boolean(sealed), fellForTrap: (website ?? '').trim() !== '' }
}
