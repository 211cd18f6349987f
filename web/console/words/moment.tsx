import { dates, formatMoment } from './format.ts'

const OF_TODAY = { hour: 'numeric', minute: '2-digit' } as const
const OF_DAYS = { month: 'short', day: 'numeric', ...OF_TODAY } as const
const YEARS_AGO = { dateStyle: 'medium' } as const
const DAY_MS = 86_400_000

/** When something happened in a story, to the minute, with the exact moment on hover. */
export function Moment({ at }: { at: string }) {
  const days = (Date.now() - Date.parse(at)) / DAY_MS
  const options = days < 1 ? OF_TODAY : days < 300 ? OF_DAYS : YEARS_AGO
  return (
    <time dateTime={at} title={formatMoment(at)}>
      {dates(options).format(new Date(at))}
    </time>
  )
}
