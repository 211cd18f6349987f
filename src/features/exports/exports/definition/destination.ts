import type { Id } from '../../../../platform/ids.ts'
import type { Bucket } from '../../../../platform/ports/storage-port.ts'

/** Where a run goes, as it is sealed. */
export type StoredDestination =
  | { type: 'download' }
  | { type: 'email'; recipients: Id<'user'>[] }
  | ({ type: 's3' } & Bucket)
export type DestinationType = StoredDestination['type']

const LABELS: Record<DestinationType, string> = { download: 'Download', email: 'Email', s3: 'S3 bucket' }

/** All that is ever shown of a destination. The name of a bucket shows those who manage exports where rows go. */
export function presentDestination(stored: StoredDestination) {
  const shown = { type: stored.type, label: LABELS[stored.type], configured: true as const }
  if (stored.type !== 's3') return shown
  return {
    ...shown,
    endpoint: stored.endpoint === undefined ? null : new URL(stored.endpoint).origin,
    bucket: stored.bucket,
  }
}
