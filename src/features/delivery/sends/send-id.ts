import { dayOf } from '../../../platform/day.ts'
import { newId, newIdAt, type Id } from '../../../platform/ids.ts'

/** An id begins with its moment. Of a send of an anonymous survey, it shows only the day. */
export function newSendId(now: Date, byDay: boolean): Id<'send'> {
  return byDay ? newIdAt('send', dayOf(now)) : newId('send')
}
