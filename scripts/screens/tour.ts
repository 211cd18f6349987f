import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { startPostgres } from '../../src/testing/database/postgres.ts'
import { startProcess } from '../../src/testing/process.ts'
import { untilReady, visitsAt, WIDE } from '../../web/testing/whole-console.ts'
import { ROOT } from '../project.ts'
import { SIGN_IN } from '../seed/workspace.ts'

/**
 * Takes the pictures of the tour in the README: ten screens of the workspace that `npm run seed` makes.
 *
 * @param keep takes the picture of a page, and closes it
 */
export async function shootTour(keep: (page: Page, name: string) => Promise<void>): Promise<void> {
  const postgres = await startPostgres()
  const folder = await mkdtemp(join(tmpdir(), 'earshot-tour-'))
  const env = { DATABASE_URL: postgres.url('postgres'), DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'error' }
  try {
    execFileSync(process.execPath, ['scripts/seed.ts'], {
      cwd: ROOT,
      env: { ...process.env, ...env },
      stdio: 'inherit',
    })
    await shootStops(env, keep)
  } finally {
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

async function shootStops(
  env: Record<string, string>,
  keep: (page: Page, name: string) => Promise<void>,
): Promise<void> {
  const product = startProcess(env)
  try {
    const base = await product.url
    await untilReady(base)
    const signedIn = await fetch(`${base}/public/sessions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(SIGN_IN),
    })
    const { token } = (await signedIn.json()) as { token: string }
    const visits = await visitsAt(base, token)
    const idOf = async (path: string, isIt: (row: Named) => boolean = () => true) =>
      (await visits.call<{ data: Named[] }>('GET', path)).data.find(isIt)?.id ?? ''
    const surveyId = await idOf('/v1/surveys', ({ name }) => name === 'After your purchase')
    const personId = await idOf('/v1/people?sort=-last_responded_at')
    const stops: Array<[name: string, path: string]> = [
      ['home', '/app/home'],
      ['results', `/app/surveys/${surveyId}/results`],
      ['verbatim', '/app/verbatim'],
      ['responses', '/app/responses?sort=score'],
      ['alerts', '/app/alerts'],
      ['agents', '/app/agents'],
      ['person', `/app/people/${personId}`],
      ['invitation', `/app/invitations/${await idOf('/v1/invitations', ({ status }) => status === 'finished')}`],
      ['dashboard', `/app/dashboards/${await idOf('/v1/dashboards')}`],
      ['webhook', `/app/webhooks/${await idOf('/v1/webhooks')}`],
    ]
    for (const [name, path] of stops) {
      const page = await visits.open(path, { hasStream: false, viewport: WIDE })
      await page.waitForSelector('h1')
      await page.waitForLoadState('networkidle')
      await keep(page, `tour-${name}`)
    }
    await visits.close()
  } finally {
    await product.kill('SIGTERM')
  }
}

interface Named {
  id: string
  name: string
  status: string
}
