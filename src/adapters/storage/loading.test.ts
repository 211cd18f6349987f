import { expect, test, vi } from 'vitest'
import { startTestServer } from '../../testing/harness.ts'

let isLoaded = false
vi.mock('@aws-sdk/client-s3', () => {
  isLoaded = true
  return {}
})

test('a server that keeps its files in a bucket loads the library before it answers, and no other does', async () => {
  await (await startTestServer()).close()
  expect(isLoaded).toBe(false)
  const env = {
    STORAGE: 's3',
    S3_ENDPOINT: 'http://127.0.0.1:1',
    S3_BUCKET: 'files',
    S3_ACCESS_KEY_ID: 'key',
    S3_SECRET_ACCESS_KEY: 'secret',
  }
  await (await startTestServer({ env })).close()
  expect(isLoaded).toBe(true)
})
