import { unprocessable, type Problem } from '../../../../http/problems/problem.ts'
import { EVENT_TYPES } from '../../events/event-types.ts'

/** @throws Problem 422 that names the first event which does not exist. */
export function refuseUnknownEvents(events: string[]): void {
  const known: readonly string[] = EVENT_TYPES
  const unknown = events.findIndex((event) => !known.includes(event))
  if (unknown !== -1) throw unknownEvent(`events.${unknown}`)
}

export function unknownEvent(path: string): Problem {
  return unprocessable('unknown_event', [
    { path, message: `There is no such event. Use one of ${EVENT_TYPES.join(', ')}.` },
  ])
}
