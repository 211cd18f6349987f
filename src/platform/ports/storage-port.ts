/** Keeps the files of exports. Keys are paths with `/`. */
export interface StoragePort {
  /** Stores a whole object, or nothing. @throws StorageError */
  put(key: string, body: AsyncIterable<Uint8Array>, signal?: AbortSignal): Promise<void>
  /** The bytes from `from` up to and without `until`. @throws StorageError */
  read(key: string, range: { from: number; until: number }): Promise<AsyncIterable<Uint8Array>>
  /** Keys that begin so, unfinished uploads included, at most a thousand. @throws StorageError */
  list(prefix: string): Promise<string[]>
  /** Removes objects and their unfinished uploads. A missing one is no error. @throws StorageError */
  remove(keys: string[], signal?: AbortSignal): Promise<void>
}

/** A tenant's own bucket. */
export interface Bucket {
  bucket: string
  region: string
  endpoint?: string | undefined
  prefix?: string | undefined
  access_key_id: string
  secret_access_key: string
}

/** Opens buckets that tenants name. It never reaches a private address unless the operator allowed it. */
export interface BucketsPort {
  open(bucket: Bucket): StoragePort
}

export type StorageReason = 'full' | 'denied' | 'unavailable' | 'missing' | 'blocked'

/** The store's own words stay in `cause`, for the log. */
export class StorageError extends Error {
  readonly reason: StorageReason
  constructor(reason: StorageReason, cause?: unknown) {
    super(`the object store failed: ${reason}`, { cause })
    this.name = 'StorageError'
    this.reason = reason
  }
}
