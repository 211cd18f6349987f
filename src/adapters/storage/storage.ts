import type { Dispatcher } from 'undici'
import type { Config } from '../../platform/config/config.ts'
import { Secret } from '../../platform/config/secrets.ts'
import type { BucketsPort, StoragePort } from '../../platform/ports/storage-port.ts'
import { createFilesystemStorage } from './filesystem.ts'
import { guardedHandler } from './guarded-handler.ts'
import { createS3Storage, loadS3 } from './s3.ts'

/** Where the server keeps files, by `STORAGE`. */
export function createStorage({ storage, dataDir }: Config): StoragePort {
  return storage.kind === 's3' ? createS3Storage(storage) : createFilesystemStorage(`${dataDir}/objects`)
}

/** Does at the start of a process what would hold its first request. */
export async function prepareStorage({ storage }: Config): Promise<void> {
  if (storage.kind === 's3') await loadS3()
}

/** @param agent dials only addresses that tenants may reach. */
export function createBuckets(agent: Dispatcher): BucketsPort {
  return {
    open: ({ bucket, region, endpoint, access_key_id, secret_access_key }) =>
      createS3Storage({
        endpoint: endpoint ?? null,
        region,
        bucket,
        prefix: '',
        accessKeyId: access_key_id,
        secretAccessKey: new Secret(secret_access_key),
        // Stores other than AWS seldom have a name for each bucket.
        forcePathStyle: endpoint !== undefined,
        requestHandler: guardedHandler(agent),
      }),
  }
}
