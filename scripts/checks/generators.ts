// Gives openapi.json to Redocly and to generators of clients: they read all of it, what they make compiles, and a
// client makes five calls to a server. Go's and Python's generators are tried where they are installed.
import { spawnSync } from 'node:child_process'
import { copyFile, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startProcess } from '../../src/testing/process.ts'
import { report, ROOT } from '../project.ts'

const TOOLS = join(ROOT, 'scripts', 'generators')
const DOCUMENT = join(ROOT, 'openapi.json')
const COMPILED = ['--outDir', 'built', '--strict', '--target', 'es2022', '--module', 'commonjs', '--skipLibCheck']
const TYPES = ['--types', 'node', '--ignoreDeprecations', '6.0', '--moduleResolution', 'node10']
const READY_MS = 60_000

const folder = await mkdtemp(join(tmpdir(), 'earshot-generators-'))
const problems: string[] = []
const tried: string[] = []
try {
  run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], TOOLS)
  run(process.execPath, [join(ROOT, 'scripts', 'web-types.ts'), '--check'])
  await lint()
  await typescript()
  await python()
  await go()
} finally {
  await rm(folder, { recursive: true, force: true })
}
report(problems, `openapi.json is read by ${tried.join(', ')}`)

async function lint(): Promise<void> {
  tried.push('Redocly')
  const script = `
    import { createConfig, lint } from '@redocly/openapi-core'
    const config = await createConfig({ extends: ['recommended'] })
    const found = await lint({ ref: ${JSON.stringify(DOCUMENT)}, config })
    const errors = found.filter(({ severity }) => severity === 'error')
    for (const { ruleId, message, location } of errors) console.log(ruleId, message, location[0]?.pointer)
    process.exitCode = errors.length > 0 ? 1 : 0`
  run(process.execPath, ['--input-type=module', '--eval', script], TOOLS)
}

/** The server listens before its database is there. */
async function untilReady(url: string): Promise<void> {
  const end = Date.now() + READY_MS
  while (Date.now() < end) {
    if ((await fetch(`${url}/health/ready`)).ok) return
    await new Promise((resume) => setTimeout(resume, 100))
  }
  throw new Error('the server did not become ready')
}

async function typescript(): Promise<void> {
  tried.push('hey-api')
  const bin = join(TOOLS, 'node_modules', '.bin')
  run(process.execPath, [join(bin, 'openapi-ts'), '-i', DOCUMENT, '-o', join(folder, 'client'), '-s'], TOOLS)
  await copyFile(join(TOOLS, 'calls.ts'), join(folder, 'calls.ts'))
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  run(process.execPath, [join(bin, 'tsc'), ...COMPILED, ...TYPES, 'calls.ts'])
  const server = startProcess({ DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'error' })
  try {
    const url = await server.url
    await untilReady(url)
    const account = { workspace_name: 'Generators', name: 'Ada', email: 'ada@example.com', password: 'correct horse' }
    const signUp = await fetch(`${url}/public/workspaces`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(account),
    })
    const { token } = (await signUp.json()) as { token: string }
    run(process.execPath, [join('built', 'calls.js'), url, token])
  } finally {
    await server.kill('SIGTERM')
  }
}

async function python(): Promise<void> {
  const generator = 'openapi-python-client'
  if (!isInstalled(generator)) return
  tried.push(generator)
  const { paths } = JSON.parse(await readFile(DOCUMENT, 'utf8')) as { paths: Record<string, object> }
  // It has no names for these types, and reads them as bytes.
  const bytes = ['application/zip', 'image/*', 'image/gif', 'image/jpeg', 'image/png', 'image/svg+xml', 'image/webp']
  const overrides = Object.fromEntries([...bytes, 'text/csv'].map((type) => [type, 'application/octet-stream']))
  await writeFile(join(folder, 'python.json'), JSON.stringify({ content_type_overrides: overrides }))
  const to = ['--path', DOCUMENT, '--output-path', 'python', '--meta', 'none', '--fail-on-warning']
  run(generator, ['generate', ...to, '--config', 'python.json'])
  run('python3', ['-m', 'compileall', '-q', 'python'])
  const { stdout } = spawnSync('find', ['python/api', '-name', '*.py', '!', '-name', '__init__.py'], { cwd: folder })
  const made = String(stdout).trim().split('\n').length
  const all = Object.values(paths).flatMap((methods) => Object.keys(methods)).length
  if (made !== all) problems.push(`${generator} made ${made} of ${all} operations`)
}

async function go(): Promise<void> {
  if (!isInstalled('oapi-codegen') || !isInstalled('go', 'version')) return
  tried.push('oapi-codegen')
  const settings = {
    package: 'earshot',
    output: 'client.go',
    generate: { models: true, client: true },
    'output-options': { 'skip-prune': true },
  }
  await writeFile(join(folder, 'go.json'), JSON.stringify(settings))
  run('oapi-codegen', ['-config', 'go.json', DOCUMENT])
  run('go', ['mod', 'init', 'earshot'])
  run('go', ['mod', 'tidy'])
  run('go', ['vet', './client.go'])
}

function isInstalled(command: string, version = '--version'): boolean {
  return spawnSync(command, [version]).error === undefined
}

function run(command: string, parts: string[], cwd = folder): void {
  const { status, stdout, stderr } = spawnSync(command, parts, { cwd, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
  if (status === 0) return
  const words = `${stdout ?? ''}${stderr ?? ''}`.trim().split('\n').slice(0, 20).join('\n')
  problems.push(`\`${command} ${parts[0]}\` failed: ${words}`)
}
