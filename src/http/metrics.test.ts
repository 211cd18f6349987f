import { expect, test } from 'vitest'
import { startTestServer } from '../testing/harness.ts'

test('metrics are text for Prometheus, for the holder of METRICS_TOKEN only', async () => {
  const server = await startTestServer({ env: { METRICS_TOKEN: 'scrape me' } })
  await server.request('GET', '/health')
  const answer = await server.request('GET', '/metrics', { token: 'scrape me' })
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=/)
  expect(answer.text).toMatch(
    /earshot_http_request_duration_seconds_count\{route="getHealth",method="GET",status="200"\} 1/,
  )
  for (const token of [undefined, 'scrape', 'scrape me ', 'scrape me not']) {
    expect(await server.request('GET', '/metrics', { token }), token).toMatchObject({
      status: token === 'scrape me ' ? 200 : 401,
    })
  }
  await server.close()
})

test('without METRICS_TOKEN there are no metrics to see', async () => {
  const server = await startTestServer()
  for (const token of [undefined, '', 'anything'])
    expect((await server.request('GET', '/metrics', { token })).status).toBe(404)
  await server.close()
})
