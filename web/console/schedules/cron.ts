/** A schedule as people choose it. */
export interface Times {
  every: 'day' | 'week' | 'month' | 'other'
  /** Such as 08:00. */
  at: string
  /** From 0, which is Sunday. */
  weekday: number
  /** Of the month. */
  day: number
  /** The expression as it is, for a schedule that the choices cannot say. */
  cron: string
}

const USUAL: Times = { every: 'week', at: '08:00', weekday: 1, day: 1, cron: '0 8 * * 1' }
const SUNDAYS = 7

/** Reads a cron expression. Others than those of the choices stay expressions. */
export function timesOf(cron: string): Times {
  const [, minute, hour, day, weekday] = /^(\d{1,2}) (\d{1,2}) (\*|\d{1,2}) \* (\*|\d)$/.exec(cron.trim()) ?? []
  const isTime = Number(minute) < 60 && Number(hour) < 24
  if (!isTime || (day !== '*' && weekday !== '*')) return { ...USUAL, every: 'other', cron }
  const times = { ...USUAL, at: `${two(hour)}:${two(minute)}`, cron }
  if (weekday !== '*') return { ...times, every: 'week', weekday: Number(weekday) % SUNDAYS }
  return day === '*' ? { ...times, every: 'day' } : { ...times, every: 'month', day: Number(day) }
}

export function cronOf({ every, at, weekday, day, cron }: Times): string {
  if (every === 'other') return cron
  const [hour, minute] = at.split(':').map(Number)
  return `${minute ?? 0} ${hour ?? 0} ${every === 'month' ? day : '*'} * ${every === 'week' ? weekday : '*'}`
}

function two(number: string | undefined): string {
  return (number ?? '0').padStart(2, '0')
}
