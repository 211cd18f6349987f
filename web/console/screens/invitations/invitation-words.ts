import type { Schemas } from '../../../api/client.ts'
import type { Tone } from '../../../ui/status-tones.ts'

export type Invitation = Schemas['Invitation']

export const STATUS_TONES: Record<Invitation['status'], Tone> = {
  scheduled: 'plain',
  sending: 'running',
  finished: 'ok',
  cancelled: 'plain',
}

export function isMoving({ status }: Pick<Invitation, 'status'>): boolean {
  return status === 'scheduled' || status === 'sending'
}

export function sumOf(counts: Record<string, number>): number {
  return Object.values(counts).reduce((sum, n) => sum + n, 0)
}

// A send has the weightiest status so far, so each of these has gone out.
const OUT = ['accepted', 'delivered', 'opened', 'clicked', 'started', 'completed', 'bounced', 'complained']

/** The numbers that an invitation is about: messages that went out, of how many, and people who answered. */
export function progressOf({ progress }: Invitation): { out: number; total: number; answered: number; failed: number } {
  const { by_status: by, total, undecided } = progress
  const count = (...names: string[]) => names.reduce((sum, name) => sum + (by[name] ?? 0), 0)
  return {
    out: count(...OUT),
    total: total + undecided,
    answered: count('completed'),
    failed: count('failed', 'bounced', 'complained'),
  }
}

const STAGES = {
  out: OUT,
  delivered: ['delivered', 'opened', 'clicked', 'started', 'completed', 'complained'],
  opened: ['opened', 'clicked', 'started', 'completed'],
  answered: ['completed'],
  failed: ['failed', 'bounced', 'complained'],
} as const
type Stage = keyof typeof STAGES

/** How many messages came how far, and of how many messages each count is a share. A click is an opening too. */
export function stagesOf(invitation: Invitation): Array<{ stage: Stage; count: number; of: number }> {
  const { by_status: by } = invitation.progress
  const count = (stage: Stage) => STAGES[stage].reduce((sum, name) => sum + (by[name] ?? 0), 0)
  const { total, out } = progressOf(invitation)
  return [
    { stage: 'out', count: out, of: total },
    { stage: 'delivered', count: count('delivered'), of: out },
    { stage: 'opened', count: count('opened'), of: out },
    { stage: 'answered', count: count('answered'), of: out },
    { stage: 'failed', count: count('failed'), of: total },
  ]
}
