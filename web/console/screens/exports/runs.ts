import type { Schemas } from '../../../api/client.ts'
import type { Tone } from '../../../ui/status-tones.ts'

export type Run = Schemas['ExportRun']
export type Source = Run['source']

export const SOURCES: Source[] = [
  'responses',
  'verbatim',
  'alerts',
  'leads',
  'people',
  'sends',
  'webhook_deliveries',
  'audit',
]
/** Sources whose rows belong to a survey. */
export const OF_SURVEYS: Source[] = ['responses', 'verbatim', 'alerts', 'leads', 'sends', 'webhook_deliveries']
/** The source of texts takes the fields of responses. */
export const entityOf = (source: Source) => (source === 'verbatim' ? 'responses' : source)

export const PHASES = ['queued', 'building', 'manifesting', 'delivering', 'completed'] as const

export function isMoving({ status }: Pick<Run, 'status'>): boolean {
  return ['queued', 'building', 'manifesting', 'delivering', 'cancelling', 'cleaning'].includes(status)
}

export function toneOf(status: Run['status']): Tone {
  if (status === 'completed') return 'ok'
  if (status === 'failed') return 'bad'
  return ['expired', 'cleaned', 'cancelled'].includes(status) ? 'plain' : 'running'
}

/** The seconds until the rest is written, at the rate so far. Null while that cannot be known. */
export function secondsLeft({ status, progress, phase_started_at }: Run, now: number): number | null {
  const { rows, total_rows: total } = progress
  const passed = (now - Date.parse(phase_started_at)) / 1000
  if (status !== 'building' || rows === 0 || passed < 2) return null
  return Math.max(1, Math.round(((total - rows) * passed) / rows))
}
