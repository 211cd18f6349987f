import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startProcess, type TestProcess } from '../../src/testing/process.ts'
import { createApi, untilReady } from './load.ts'
import type { UsedDatabase } from './own-database.ts'
import { SECRETS_KEY } from './rig.ts'

/** The surveys of an installation, each with a webhook of its own. */
export const SURVEYS = 100

/** The product as `npm start` runs it, with one workspace. */
export interface Installation {
  product: TestProcess
  base: string
  settings: Record<string, string>
  /** The paths of the surveys' submissions. */
  paths: string[]
  database: UsedDatabase | null
  close(): Promise<void>
}

const running = new Set<TestProcess>()
process.on('exit', () => running.forEach((product) => product.kill('SIGKILL')))

/**
 * @param database null for the embedded one.
 * @param hooks where the webhooks point to, each with its number behind it.
 */
export async function install(
  database: UsedDatabase | null,
  hooks: string,
  role: 'all' | 'api' = 'all',
): Promise<Installation> {
  const dataDir = await mkdtemp(join(tmpdir(), 'earshot-bench-'))
  const settings = {
    SECRETS_KEY,
    LOG_LEVEL: 'error',
    DATA_DIR: dataDir,
    ...(database && { DATABASE_URL: database.url }),
  }
  const product = launch(settings, role)
  const base = await product.url
  await untilReady(base)
  return {
    product,
    base,
    settings,
    paths: await openSurveys(base, hooks),
    database,
    async close() {
      await end(product)
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

export function launch(settings: Record<string, string>, role: string): TestProcess {
  const product = startProcess({ ...settings, ROLE: role })
  running.add(product)
  return product
}

export async function end(product: TestProcess): Promise<void> {
  await product.kill('SIGINT')
  running.delete(product)
}

async function openSurveys(base: string, hooks: string): Promise<string[]> {
  const api = createApi(base)
  const workspace = { workspace_name: 'Bench', name: 'Bench', email: 'bench@example.com', password: 'a long password' }
  const { token } = await api.post<{ token: string }>('/public/workspaces', workspace)
  const questions = [
    { id: 'q1', type: 'nps', title: 'How likely are you to recommend us?', required: true },
    { id: 'q2', type: 'open_text', title: 'Why?' },
  ]
  const paths: string[] = []
  for (let n = 0; n < SURVEYS; n++) {
    const { id } = await api.post<{ id: string }>(
      '/v1/surveys',
      { name: `Bench ${n}`, metric: 'nps', questions, custom_fields: ['sent_at'] },
      token,
    )
    await api.post(`/v1/surveys/${id}/publish`, {}, token)
    await api.post('/v1/webhooks', { url: `${hooks}/${n}`, survey_ids: [id] }, token)
    paths.push(`/public/surveys/${id}/responses`)
  }
  await api.close()
  return paths
}
