import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { ROOT } from './project.ts'

/** The exit code of the container's health check under these settings. */
async function check(settings: Record<string, string>): Promise<number> {
  const asked = spawn(process.execPath, ['scripts/healthcheck.mjs'], { cwd: ROOT, env: settings })
  const [code] = (await once(asked, 'exit')) as [number]
  return code
}

async function answering(status: number): Promise<string> {
  const server = createServer((request, response) => {
    response.writeHead(request.url === '/health' ? status : 404).end()
  })
  onTestFinished(() => void server.close())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return String((server.address() as AddressInfo).port)
}

test('a container is healthy while its process answers, and a worker without a port always is', async () => {
  const well = await answering(200)
  const ill = await answering(503)
  expect(await check({ PORT: well })).toBe(0)
  expect(await check({ PORT: ill })).toBe(1)
  expect(await check({ ROLE: 'worker', PORT: ill })).toBe(0)
  expect(await check({ ROLE: 'worker', WORKER_PORT: ill, PORT: well })).toBe(1)
  expect(await check({ ROLE: 'worker', WORKER_PORT: well, PORT: ill })).toBe(0)
})
