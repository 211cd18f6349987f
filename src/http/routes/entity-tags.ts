import { contentTag } from '../../platform/etag.ts'
import type { AppContext } from './context.ts'

/** For the reference: what a route answers to a stale `If-Match`. */
export const STALE = { 412: '`stale`: `If-Match` is not the current `ETag`.' }

/** Sends a resource with its `ETag`, which is new for each change of what the resource shows. */
export function tagged<Shown extends object>(c: AppContext, shown: Shown): Shown {
  c.header('ETag', contentTag(shown))
  return shown
}
