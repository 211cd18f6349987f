const DAY_MS = 86_400_000

/** The first moment of a day in UTC. */
export function dayOf(at: Date): Date {
  return new Date(Math.floor(at.getTime() / DAY_MS) * DAY_MS)
}

/** The first moment after a day in UTC. */
export function endOfDay(at: Date): Date {
  return new Date(dayOf(at).getTime() + DAY_MS)
}
