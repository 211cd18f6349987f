import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { readText, ROOT } from '../project.ts'

const CHART = 'deploy/helm/earshot'
// The chart is also rendered where somebody has Helm: a binary in PATH, or in HELM.
const HELM = process.env['HELM'] ?? 'helm'
const hasHelm = spawnSync(HELM, ['version']).status === 0
// Set by the image and the pods for Node itself.
const NOT_OURS = new Set(['NODE_ENV'])

const manifest = JSON.parse(await readText('package.json'))
const settings = new Set(
  [...(await readText('docs/operations.md')).matchAll(/^\|([^|]+)\|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([A-Z][A-Z0-9_]+)`/g)].map(([, name = '']) => name),
  ),
)
const unknown = (names: string[]) => names.filter((name) => !settings.has(name) && !NOT_OURS.has(name))
// `exec` leaves no shell between npm and Node, which would keep the signals that npm passes on.
const command = manifest.scripts.start.replace(/^exec /, '')
const start = command.replace(/^node /, '')

test('the image has the Node of the package, no root, a health check, and every file that it copies', async () => {
  const text = await readText('Dockerfile')
  const images = [...text.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image)
  expect(new Set(images)).toEqual(new Set([`node:${manifest.dependencies.node}-bookworm-slim`]))
  const last = text.slice(text.lastIndexOf('FROM '))
  expect(last).toMatch(/^USER 1000:1000$/m)
  expect(last).toMatch(/^HEALTHCHECK .*scripts\/healthcheck\.mjs/m)
  expect(JSON.parse(/^CMD (.*)$/m.exec(last)?.[1] ?? '[]')).toEqual(command.split(' '))
  const ignored = (await readText('.dockerignore')).split('\n')
  const copied = [...text.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, names = '']) => names.split(' '))
  for (const name of copied) {
    expect(existsSync(ROOT + name), name).toBe(true)
    expect(ignored).not.toContain(name)
  }
  expect(unknown([...(/^ENV (.*)$/m.exec(last)?.[1] ?? '').matchAll(/(\w+)=/g)].map(([, name = '']) => name))).toEqual(
    [],
  )
})

test('compose starts Earshot after its database, with settings that exist', async () => {
  const { services, configs, volumes } = parse(await readText('compose.yaml'))
  const { earshot, database } = services
  const { env_file, environment } = earshot
  expect(env_file).toBe('.env')
  // Every setting of .env gets through, except what is for the containers alone and what the image fixes.
  const hidden = Object.keys(environment).filter((name) => environment[name] === '')
  expect(hidden).toEqual(['POSTGRES_PASSWORD', 'EARSHOT_DATABASE_PASSWORD', 'PUBLISH'])
  // Nobody reaches it past the proxy, unless the operator says so.
  expect(earshot.ports).toEqual(['${PUBLISH:-127.0.0.1}:${PORT:-8080}:8080'])
  expect(environment.PUBLIC_BASE_URL).toContain('localhost:${PORT:-8080}')
  for (const ignore of ['.gitignore', '.dockerignore'])
    expect((await readText(ignore)).split('\n'), ignore).toContain('.env')
  expect(unknown(Object.keys(environment).filter((name) => !hidden.includes(name)))).toEqual([])
  const fixed = Object.keys(environment).filter((name) => !String(environment[name]).includes(`\${${name}:`))
  expect(fixed.sort()).toEqual(['DATA_DIR', 'ENVIRONMENT', 'HOST', 'PORT', ...hidden].sort())
  expect(earshot).toMatchObject({ read_only: true, depends_on: { database: { condition: 'service_healthy' } } })
  const named = [...earshot.volumes, ...database.volumes].map((each: string) => each.split(':')[0])
  expect(Object.keys(volumes).sort()).toEqual(named.sort())
  expect(Object.keys(configs)).toEqual(database.configs.map(({ source }: { source: string }) => source))
})

test('the systemd unit starts what npm start does, with settings that exist', async () => {
  const unit = await readText('deploy/systemd/earshot.service')
  expect(unit).toContain(`ExecStart=/opt/earshot/node_modules/.bin/node ${start}\n`)
  const example = await readText('deploy/systemd/earshot.env.example')
  const inline = /^Environment=(.*)$/m.exec(unit)?.[1] ?? ''
  for (const [setting] of inline.matchAll(/\b(?!NODE_ENV)\w+=\S+/g)) expect(example.split('\n')).toContain(setting)
  const names = [...`${inline.replaceAll(' ', '\n')}\n${example}`.matchAll(/^(\w+)=/gm)].map(([, name = '']) => name)
  expect(names.length).toBeGreaterThan(10)
  expect(unknown(names)).toEqual([])
})

describe('the Helm chart', async () => {
  const values = parse(await readText(`${CHART}/values.yaml`))
  const files = (await readdir(`${ROOT}${CHART}/templates`)).map((name) => `${CHART}/templates/${name}`)
  const templates = files.map((name) => readFileSync(ROOT + name, 'utf8')).join('\n')

  test('has the version of the package', async () => {
    const chart = parse(await readText(`${CHART}/Chart.yaml`))
    expect([chart.version, chart.appVersion]).toEqual([manifest.version, manifest.version])
  })

  test('uses every value, and no value that has no default', () => {
    const used = [...templates.matchAll(/\.Values((?:\.\w+)+)/g)].map(([, path = '']) => path.slice(1).split('.'))
    for (const path of used) {
      // `secrets` is empty by default: its names are settings.
      if (path[0] === 'secrets') continue
      expect(
        path.reduce((at, key) => (at as Record<string, unknown>)?.[key], values as unknown),
        path.join('.'),
      ).toBeDefined()
    }
    expect(Object.keys(values).filter((key) => !used.some(([first]) => first === key))).toEqual([])
    expect(unknown(Object.keys(values.settings))).toEqual([])
  })

  test('closes each block that it opens', () => {
    const words = [...templates.matchAll(/\{\{-? *(if|range|with|define|end)\b/g)].map(([, word]) => word)
    expect(words.filter((word) => word === 'end')).toHaveLength(words.filter((word) => word !== 'end').length)
  })

  test.runIf(hasHelm)('renders with and without its options', () => {
    const helm = (...args: string[]) => spawnSync(HELM, args, { cwd: ROOT, encoding: 'utf8' })
    const secrets = ['--set', 'secrets.DATABASE_URL=postgres://a,secrets.SECRETS_KEY=key,settings.STORAGE=s3']
    expect(helm('lint', '--strict', CHART, ...secrets)).toMatchObject({ status: 0 })
    const kindsOf = (...args: string[]) => {
      const { status, stdout, stderr } = helm('template', 'earshot', CHART, '--kube-version', '1.30.0', ...args)
      expect(status, stderr).toBe(0)
      return parseAllDocuments(stdout).map((document) => {
        expect(document.errors).toEqual([])
        return (document.toJS() as { kind: string }).kind
      })
    }
    const plain = ['Deployment', 'Deployment', 'PodDisruptionBudget', 'Service', 'ServiceAccount']
    expect(kindsOf(...secrets).sort()).toEqual([...plain, 'Secret'].sort())
    const all = ['existingSecret=mine', 'ingress.enabled=true', 'ingress.tlsSecret=tls', 'api.autoscaling.enabled=true']
    expect(kindsOf('--set', all.join(','), '--set', 'filesClaim=files,nodeSelector.disk=ssd').sort()).toEqual(
      [...plain, 'HorizontalPodAutoscaler', 'Ingress'].sort(),
    )
    const refused = (...args: string[]) =>
      helm('template', 'earshot', CHART, '--kube-version', '1.30.0', ...args).stderr
    expect(refused('--set', 'filesClaim=files')).toContain('Set existingSecret, or secrets.DATABASE_URL')
    expect(refused('--set', 'existingSecret=mine')).toContain('Pods share the files of exports and pictures')
    expect(refused('--set', 'existingSecret=mine,settings.STORAGE=null')).toContain('Pods share the files')
    expect(kindsOf(...documentedInstall(readFileSync(`${ROOT}docs/operations.md`, 'utf8'))).sort()).toEqual(
      [...plain, 'Ingress'].sort(),
    )
  })
})

/** The options of the `helm install` that the document prints. */
function documentedInstall(text: string): string[] {
  const [, printed = ''] = /helm install earshot deploy\/helm\/earshot ((?:.*\\\n)*.*)/.exec(text) ?? []
  return printed.replaceAll('\\\n', ' ').trim().split(/\s+/)
}
