import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import { createPgliteDatabase } from '../../src/adapters/pglite/pglite.ts'
import { createApp } from '../../src/app.ts'
import { sendMailSweep } from '../../src/features/access/mail/mail.feature.ts'
import { mailResetsSweep } from '../../src/features/access/password-resets/password-resets.feature.ts'
import { dispatchSweeps } from '../../src/features/outreach/messages/messages.feature.ts'
import { createDatabaseClock } from '../../src/platform/loop/clock.ts'
import { parseConfig } from '../../src/platform/config/config.ts'
import type { EmailMessage, EmailPort } from '../../src/platform/ports/email-port.ts'
import { createLog } from '../../src/platform/config/log.ts'
import { migrate } from '../../src/platform/database/migrate.ts'
import { createServices } from '../../src/services.ts'

/** A server of its own with one workspace, for benches and pictures. Nothing is kept. */
export interface Site {
  base: string
  call<Answer>(method: string, path: string, body?: object): Promise<Answer>
  /** Uploads an SVG. @returns its address */
  upload(svg: string): Promise<string>
  /** Publishes a survey. @returns its id */
  publish(survey: object): Promise<string>
  /** Sends what waits to be sent. @returns the mails, which go nowhere. */
  mails(): Promise<EmailMessage[]>
  close(): Promise<void>
}

export async function startSite(): Promise<Site> {
  const config = parseConfig({
    LOG_LEVEL: 'error',
    SECRETS_KEY: 'a-key-for-pictures-that-is-long-enough',
    DATA_DIR: '/nonexistent',
  })
  const database = await createPgliteDatabase({ dataDir: null, onStatement: () => {} })
  await migrate(database)
  const services = await createServices(config, { log: createLog('error'), clock: createDatabaseClock(), database })
  const server = serve({ fetch: createApp(services).fetch, port: 0, hostname: '127.0.0.1', createServer })
  if (!server.listening) await once(server, 'listening')
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const sent: EmailMessage[] = []
  const email = (): EmailPort => ({
    send: async (message) => ({ providerId: String(sent.push(message)) }),
  })
  Object.assign(services.factories, { email })
  const session: { token?: string } = {}
  const call = async <Answer>(method: string, path: string, body?: object): Promise<Answer> => {
    const response = await fetch(`${base}${path}`, {
      method,
      headers: {
        'content-type': 'application/json',
        ...(session.token !== undefined && { authorization: `Bearer ${session.token}` }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
    return (await response.json()) as Answer
  }
  const workspace = { workspace_name: 'Acme', name: 'Ada', email: 'ada@example.com', password: 'a long password' }
  session.token = (await call<{ token: string }>('POST', '/public/workspaces', workspace)).token
  return {
    base,
    call,
    async upload(svg) {
      const headers = { 'content-type': 'image/svg+xml', authorization: `Bearer ${session.token}` }
      const answer = await fetch(`${base}/v1/assets`, { method: 'POST', headers, body: svg })
      if (!answer.ok) throw new Error(`the upload answered ${answer.status}: ${await answer.text()}`)
      return ((await answer.json()) as { url: string }).url
    },
    async publish(survey) {
      const { id } = await call<{ id: string }>('POST', '/v1/surveys', { name: 'A survey', ...survey })
      await call('POST', `/v1/surveys/${id}/publish`, {})
      return id
    },
    async mails() {
      const options = { limit: 100, signal: new AbortController().signal, renew: async () => true }
      for (const sweep of [mailResetsSweep, sendMailSweep, dispatchSweeps.email])
        await services.run((system) => sweep.run(system, options))
      return sent
    },
    async close() {
      server.close()
      await services.close()
    },
  }
}
