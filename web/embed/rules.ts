import { readStored, store } from '../ui/storage.ts'

/** When a survey opens by itself. The survey carries it, and the website may add to it. */
export interface Targeting {
  urls?: string[]
  events?: string[]
  sample?: number
  delay_ms?: number
  recontact?: 'once' | 'until_answered' | { every_days: number }
}

/** The times that this browser remembers of a survey. */
interface Clock {
  /** 0 to 1, drawn once, so that the same visitors stay in the sample. */
  draw: number
  shownAt?: number
  answeredAt?: number
}

const DAY_MS = 86_400_000

/** Whether the visitor, the page and the clock of this survey allow it to open. */
export function mayOpen(survey: string, targeting: Targeting, url: string, now: number): boolean {
  const { draw, shownAt, answeredAt } = clockOf(survey)
  const { urls, sample = 1, recontact = 'until_answered' } = targeting
  if (urls && urls.length > 0 && !urls.some((pattern) => matchesUrl(pattern, url))) return false
  if (draw >= sample) return false
  if (recontact === 'once') return shownAt === undefined
  if (recontact === 'until_answered') return answeredAt === undefined
  return shownAt === undefined || now - shownAt >= recontact.every_days * DAY_MS
}

/** Compares a whole address with a pattern, in which `*` stands for any part. */
export function matchesUrl(pattern: string, url: string): boolean {
  const [first = '', ...rest] = pattern.split('*')
  if (rest.length === 0) return url === pattern
  const last = rest.pop() ?? ''
  if (!url.startsWith(first) || !url.endsWith(last)) return false
  let at = first.length
  for (const part of rest) {
    const found = url.indexOf(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  return at <= url.length - last.length
}

export function remember(survey: string, what: 'shownAt' | 'answeredAt', now: number): void {
  store(survey, { ...clockOf(survey), [what]: now })
}

/** A random name for the person at this browser. `voc('reset')` ends it, so that the next person gets another. */
export function visitor(): string {
  const known = readStored<string>('visitor')
  if (known) return known
  const drawn = [Math.random(), Math.random()].map((part) => part.toString(36).slice(2)).join('')
  store('visitor', drawn)
  return drawn
}

function clockOf(survey: string): Clock {
  const known = readStored<Clock>(survey)
  if (known) return known
  const clock = { draw: Math.random() }
  store(survey, clock)
  return clock
}
