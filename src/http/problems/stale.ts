import { contentTag, tagMatches } from '../../platform/etag.ts'
import { Problem } from './problem.ts'

/**
 * Refuses a change of a resource that is not the one that the caller read. An absent `If-Match` allows any.
 * @param shown the resource as it is now, locked until the change commits.
 * @throws Problem 412 `stale`.
 */
export function requireUnchanged(ifMatch: string | undefined, shown: object): void {
  if (ifMatch === undefined || tagMatches(ifMatch, contentTag(shown))) return
  throw new Problem(412, 'stale', {
    detail: 'It has changed since you read it. Read it again, then repeat the change.',
  })
}
