const A_DAY_MS = 86_400_000

/** How many midnights of a time zone lie between two moments. Without a zone: those of this device. */
export function daysBetween(from: number, to: number, timeZone: string | undefined): number {
  // The Swedish form of a date is the one of ISO 8601.
  const dayOf = (at: number) => Date.parse(new Date(at).toLocaleDateString('sv-SE', { timeZone }))
  return Math.round((dayOf(to) - dayOf(from)) / A_DAY_MS)
}

/** A moment, or now if it has come: what is due waits for its turn. */
export function notBefore(now: number, at: string): string {
  return new Date(Math.max(Date.parse(at), now)).toISOString()
}
