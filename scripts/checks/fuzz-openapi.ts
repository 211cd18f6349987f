// Sends at least 5,000 requests that Schemathesis makes up from openapi.json to a server on a database of its own: none
// may end in a server error, a status that is not declared, or an answer of another form. Without Schemathesis it says
// so, and ends.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startProcess } from '../../src/testing/process.ts'

const CASES = 5_000
// Operations without parameters have fewer different requests than their share.
const SHARE = 1.2
const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_schema_conformance',
]
// These end the session that sends the rest, or would have the server call addresses that were made up.
const LEFT_OUT = ['signOut', 'testWebhook', 'fetchPage']
// A session may send 600 requests a minute.
const RATE = '9/s'

const schemathesis = findSchemathesis()
if (!schemathesis) {
  console.log('Schemathesis is not installed, so nothing was fuzzed. Install it with `pip install schemathesis`.')
  process.exit(0)
}
const dataDir = await mkdtemp(join(tmpdir(), 'earshot-fuzz-'))
const server = startProcess({ DATA_DIR: dataDir, LOG_LEVEL: 'error' })
try {
  process.exitCode = await fuzz(schemathesis, await server.url)
} finally {
  await server.kill('SIGTERM')
  await rm(dataDir, { recursive: true, force: true })
}

function findSchemathesis(): string[] | null {
  const ways = [['schemathesis'], ['python3', '-m', 'schemathesis.cli']]
  return ways.find(([command = '', ...rest]) => spawnSync(command, [...rest, '--version']).status === 0) ?? null
}

async function fuzz([command = '', ...rest]: string[], url: string): Promise<number> {
  const account = { workspace_name: 'Fuzz', name: 'Fuzz', email: 'fuzz@example.com', password: 'correct horse battery' }
  const signUp = await fetch(`${url}/public/workspaces`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(account),
  })
  if (signUp.status !== 201) throw new Error(`the sign-up failed with ${signUp.status}`)
  const { token } = (await signUp.json()) as { token: string }
  const document = (await (await fetch(`${url}/openapi.json`)).json()) as { paths: Record<string, object> }
  const operations = Object.values(document.paths).flatMap((methods) => Object.keys(methods)).length - LEFT_OUT.length
  const settings = [
    '--checks',
    CHECKS.join(),
    '--phases',
    'fuzzing',
    '--max-examples',
    String(Math.ceil((SHARE * CASES) / operations)),
    '--rate-limit',
    RATE,
  ]
  const quiet = [
    '--warnings',
    'off',
    '--generation-database',
    'none',
    '--seed',
    process.env['SEED'] ?? '1',
    '--continue-on-failure',
    '--suppress-health-check',
    'all',
  ]
  const leftOut = LEFT_OUT.flatMap((id) => ['--exclude-operation-id', id])
  const child = spawn(
    command,
    [
      ...rest,
      'run',
      `${url}/openapi.json`,
      '--header',
      `Authorization: Bearer ${token}`,
      ...settings,
      ...quiet,
      ...leftOut,
      ...process.argv.slice(2),
    ],
    {
      stdio: 'inherit',
      cwd: dataDir,
    },
  )
  const [code] = (await once(child, 'close')) as [number | null]
  return code ?? 1
}
