import type { S3Client, S3ClientConfig } from '@aws-sdk/client-s3'
import { BlockedUrlError } from '../../platform/ports/ports.ts'
import type { Secret } from '../../platform/config/secrets.ts'
import { StorageError, type StoragePort, type StorageReason } from '../../platform/ports/storage-port.ts'

/** The smallest piece of an upload that S3 takes is 5 MiB. */
const PIECE_BYTES = 8 * 1024 * 1024
const MOST_LISTED = 1_000
const TRIES = 3
// The server may be silent, and the caller waits.
const ABORTED_WITHIN_MS = 10_000

export interface S3Settings {
  endpoint: string | null
  region: string
  bucket: string
  prefix: string
  accessKeyId: string
  secretAccessKey: Secret
  forcePathStyle: boolean
  requestHandler?: S3ClientConfig['requestHandler']
}

/** Loads the library at the start of a process that will need it, because that holds the event loop for 52 ms. */
export async function loadS3(): Promise<void> {
  await import('@aws-sdk/client-s3')
}

/**
 * Objects in a bucket. The library, of 33 MB, is loaded with the first call of a process that did not load it before.
 */
export function createS3Storage(settings: S3Settings): StoragePort {
  let opened: Promise<Bucket> | null = null
  const bucket = () => (opened ??= openBucket(settings))
  const named = (key: string) => ({ Bucket: settings.bucket, Key: settings.prefix + key })
  return {
    put: (key, body, signal) => explained(async () => (await bucket()).put(named(key), body, signal)),
    read: (key, { from, until }) =>
      explained(async () => {
        const { sdk, client } = await bucket()
        if (from >= until) return nothing()
        const range = { ...named(key), Range: `bytes=${from}-${until - 1}` }
        const { Body } = await client.send(new sdk.GetObjectCommand(range))
        return explainedBody(Body as AsyncIterable<Uint8Array>)
      }),
    list: (prefix) =>
      explained(async () => {
        const { sdk, client } = await bucket()
        const below = { Bucket: settings.bucket, Prefix: settings.prefix + prefix }
        const { Contents = [] } = await client.send(new sdk.ListObjectsV2Command({ ...below, MaxKeys: MOST_LISTED }))
        const { Uploads = [] } = await (await bucket()).uploads(below.Prefix)
        const keys = [...Contents, ...Uploads].flatMap(({ Key }) => (Key?.startsWith(below.Prefix) ? [Key] : []))
        return [...new Set(keys)].map((key) => key.slice(settings.prefix.length)).sort()
      }),
    remove: (keys, signal) =>
      explained(async () => {
        const { sdk, client, uploads } = await bucket()
        const options = signal ? { abortSignal: signal } : {}
        for (const key of keys) {
          const { Uploads = [] } = await uploads(named(key).Key, signal)
          const ofKey = Uploads.filter(({ Key }) => Key === named(key).Key).slice(0, MOST_UPLOADS)
          for (const { UploadId } of ofKey)
            await client.send(new sdk.AbortMultipartUploadCommand({ ...named(key), UploadId }), options)
          await client.send(new sdk.DeleteObjectCommand(named(key)), options)
        }
      }),
  }
}

// Of one object. Its list comes from a server that a tenant chose.
const MOST_UPLOADS = 20

type Sdk = typeof import('@aws-sdk/client-s3')

interface Bucket {
  sdk: Sdk
  client: S3Client
  uploads(
    prefix: string,
    signal?: AbortSignal,
  ): Promise<{ Uploads?: Array<{ Key?: string | undefined; UploadId?: string | undefined }> | undefined }>
  put(named: { Bucket: string; Key: string }, body: AsyncIterable<Uint8Array>, signal?: AbortSignal): Promise<void>
}

async function openBucket(settings: S3Settings): Promise<Bucket> {
  const sdk = await import('@aws-sdk/client-s3')
  const client = new sdk.S3Client({
    region: settings.region,
    forcePathStyle: settings.forcePathStyle,
    credentials: { accessKeyId: settings.accessKeyId, secretAccessKey: settings.secretAccessKey.reveal() },
    // Not every store knows the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: TRIES,
    requestHandler: settings.requestHandler ?? { connectionTimeout: 5_000, requestTimeout: 60_000 },
    ...(settings.endpoint !== null && { endpoint: settings.endpoint }),
  })
  return {
    sdk,
    client,
    async uploads(prefix, signal) {
      try {
        const listed = new sdk.ListMultipartUploadsCommand({ Bucket: settings.bucket, Prefix: prefix })
        return await client.send(listed, signal ? { abortSignal: signal } : {})
      } catch (error) {
        // A small store may not list them.
        if (statusOf(error) === 501 || statusOf(error) === 405) return {}
        throw error
      }
    },
    async put(named, body, signal) {
      const options = signal ? { abortSignal: signal } : {}
      let upload: { UploadId: string; done: Array<{ ETag: string; PartNumber: number }> } | null = null
      try {
        let last: Buffer | null = null
        for await (const piece of piecesOf(body)) {
          if (last) {
            upload ??= { UploadId: await begin(), done: [] }
            await send(upload, last)
          }
          last = piece
        }
        if (!upload) {
          await client.send(new sdk.PutObjectCommand({ ...named, Body: last ?? Buffer.alloc(0) }), options)
          return
        }
        if (last) await send(upload, last)
        const { UploadId, done } = upload
        const whole = { ...named, UploadId, MultipartUpload: { Parts: done } }
        await client.send(new sdk.CompleteMultipartUploadCommand(whole), options)
      } catch (error) {
        if (upload)
          await client
            .send(new sdk.AbortMultipartUploadCommand({ ...named, UploadId: upload.UploadId }), {
              abortSignal: AbortSignal.timeout(ABORTED_WITHIN_MS),
            })
            .catch(() => {})
        throw error
      }

      async function begin(): Promise<string> {
        const { UploadId } = await client.send(new sdk.CreateMultipartUploadCommand(named), options)
        if (!UploadId) throw new StorageError('unavailable')
        return UploadId
      }

      async function send({ UploadId, done }: NonNullable<typeof upload>, piece: Buffer): Promise<void> {
        const PartNumber = done.length + 1
        const part = { ...named, UploadId, PartNumber, Body: piece }
        const { ETag = '' } = await client.send(new sdk.UploadPartCommand(part), options)
        done.push({ ETag, PartNumber })
      }
    },
  }
}

/** Pieces of one size, and the rest. */
async function* piecesOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    size += chunk.byteLength
    if (size < PIECE_BYTES) continue
    yield Buffer.concat(chunks)
    chunks = []
    size = 0
  }
  if (size > 0) yield Buffer.concat(chunks)
}

const REFUSALS = new Set(['NoSuchBucket', 'AccessDenied', 'InvalidAccessKeyId', 'SignatureDoesNotMatch'])

async function explained<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const reason = reasonOf(error)
    if (reason === null) throw error
    throw new StorageError(reason, error)
  }
}

async function* explainedBody(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body
  } catch (error) {
    throw new StorageError('unavailable', error)
  }
}

/** Null for what is not the store's fault, such as the end of a lease. */
function reasonOf(error: unknown): StorageReason | null {
  if (!(error instanceof Error) || error instanceof StorageError) return null
  if (error instanceof BlockedUrlError) return 'blocked'
  if (error.name === 'NoSuchKey') return 'missing'
  if (REFUSALS.has(error.name) || [401, 403].includes(statusOf(error) ?? 0)) return 'denied'
  if (statusOf(error) !== undefined || 'code' in error || error.name === 'TimeoutError') return 'unavailable'
  return null
}

function statusOf(error: unknown): number | undefined {
  return (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode
}

async function* nothing(): AsyncGenerator<Uint8Array> {}
