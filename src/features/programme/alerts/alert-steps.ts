/**
 *     new ──▶ acknowledged ──▶ in_progress ──▶ resolved ──▶ closed        steps may be skipped
 *                   ▲                             └────┬─────┘
 *               reopened ◀─────────────────────────────┘
 */
export const ALERT_STATUSES = ['new', 'acknowledged', 'in_progress', 'resolved', 'closed', 'reopened'] as const
export type AlertStatus = (typeof ALERT_STATUSES)[number]

const RANKS: Record<AlertStatus, number> = {
  new: 0,
  reopened: 0,
  acknowledged: 1,
  in_progress: 2,
  resolved: 3,
  closed: 4,
}

export function mayStep(from: AlertStatus, to: AlertStatus): boolean {
  if (to === 'reopened') return isDone(from)
  return to !== 'new' && RANKS[to] > RANKS[from]
}

/** Nobody has to do anything more. */
export function isDone(status: AlertStatus): boolean {
  return RANKS[status] >= RANKS.resolved
}

interface Times {
  status: AlertStatus
  acknowledged_at: Date | null
  resolved_at: Date | null
  closed_at: Date | null
  escalate_at: Date | null
}

/** The times of an alert after a step. A reopened one begins anew. */
export function step<Row extends Times>(row: Row, to: AlertStatus, now: Date): Row {
  if (to === 'reopened') return { ...row, status: to, acknowledged_at: null, resolved_at: null, closed_at: null }
  return {
    ...row,
    status: to,
    acknowledged_at: row.acknowledged_at ?? now,
    resolved_at: isDone(to) ? (row.resolved_at ?? now) : row.resolved_at,
    closed_at: to === 'closed' ? now : row.closed_at,
    escalate_at: null,
  }
}
