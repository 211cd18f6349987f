import type { Schemas } from '../../../../api/client.ts'
import type { Tone } from '../../../../ui/status-tones.ts'
import { answerOf, api } from '../../../session/api.ts'

export type Request = Schemas['PrivacyRequest']

const MOVING = new Set<Request['status']>(['searching', 'running', 'cleaning'])
const LOOK_MS = 1_000

export const TONES: Record<Request['status'], Tone> = {
  searching: 'running',
  ready: 'plain',
  running: 'running',
  cleaning: 'running',
  completed: 'ok',
  cancelled: 'plain',
  failed: 'bad',
}

export function isMoving({ status }: Request): boolean {
  return MOVING.has(status)
}

/** A person still waits for it. */
export function isOpen(request: Request): boolean {
  return !request.dry_run && (isMoving(request) || request.status === 'failed')
}

export function rowsOf({ counts }: Request): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0)
}

/** A request, read again while it moves. The stream has no topic of it. */
export function privacyRequestQuery(id: string) {
  return {
    queryKey: ['privacy-request', id],
    queryFn: () => answerOf(api.GET('/v1/gdpr/requests/{id}', { params: { path: { id } } })),
    refetchInterval: ({ state }: { state: { data: Request | undefined } }) =>
      state.data && isMoving(state.data) ? LOOK_MS : false,
  }
}
