import type { Id } from '../../../../platform/ids.ts'
import type { Bucket } from '../../../../platform/storage-port.ts'

/** Where a run goes, as it is sealed. */
export type StoredDestination =
  | { type: 'download' }
  | { type: 'email'; recipients: Id<'user'>[] }
  | ({ type: 's3' } & Bucket)
export type DestinationType = StoredDestination['type']

const LABELS: Record<DestinationType, string> = { download: 'Download', email: 'Email', s3: 'S3 bucket' }

/** All that is ever shown of a destination. */
export function presentDestination(type: DestinationType) {
  return { type, label: LABELS[type], configured: true as const }
}
