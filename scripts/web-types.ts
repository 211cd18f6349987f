// Writes web/api/schema.d.ts: the types of the calls that the console makes, from openapi.json. `--check` fails when
// the committed file differs.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readText, report, ROOT } from './project.ts'

interface Document {
  paths: Record<string, object>
  components: Record<string, Record<string, unknown>>
}

const FILE = 'web/api/schema.d.ts'
const TOOLS = join(ROOT, 'scripts', 'generators')
const CALLS = /\bapi\s*\.\s*(GET|POST|PUT|PATCH|DELETE)\(\s*'([^']+)'/g

const made = await generate(reduced(JSON.parse(await readText('openapi.json')) as Document, await calledOperations()))
if (process.argv.includes('--check')) {
  const isCurrent = existsSync(join(ROOT, FILE)) && (await readText(FILE)) === made
  report(
    isCurrent ? [] : [`${FILE} is old: run npm run web:types`],
    `${FILE} fits openapi.json and the console's calls`,
  )
} else await writeFile(join(ROOT, FILE), made)

/** Such as `get /v1/me`. */
async function calledOperations(): Promise<Set<string>> {
  const folder = join(ROOT, 'web', 'console')
  const files = (await readdir(folder, { recursive: true })).filter((path) => /\.tsx?$/.test(path))
  const texts = await Promise.all(files.map((path) => readFile(join(folder, path), 'utf8')))
  return new Set(
    texts.flatMap((text) =>
      [...text.matchAll(CALLS)].map(([, method = '', path = '']) => `${method.toLowerCase()} ${path}`),
    ),
  )
}

/** The called operations, and the components that these need. All of them would be 23,000 lines. */
function reduced(document: Document, called: Set<string>): Document {
  const paths = Object.fromEntries(
    Object.entries(document.paths).flatMap(([path, item]) => {
      const methods = Object.entries(item).filter(([method]) => called.has(`${method} ${path}`))
      return methods.length === 0 ? [] : [[path, Object.fromEntries(methods)]]
    }),
  )
  const components: Document['components'] = {}
  const waiting = [JSON.stringify(paths), '"#/components/schemas/Problem"']
  for (let text = waiting.pop(); text !== undefined; text = waiting.pop()) {
    for (const [, kind = '', name = ''] of text.matchAll(/"#\/components\/(\w+)\/([\w.-]+)"/g)) {
      const found = document.components[kind]?.[name]
      if (found === undefined || components[kind]?.[name] !== undefined) continue
      components[kind] = { ...components[kind], [name]: found }
      waiting.push(JSON.stringify(found))
    }
  }
  return { ...document, paths, components, webhooks: {} } as Document
}

async function generate(document: Document): Promise<string> {
  if (!existsSync(join(TOOLS, 'node_modules', 'openapi-typescript')))
    run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'])
  const folder = await mkdtemp(join(tmpdir(), 'earshot-types-'))
  try {
    const [input, output] = [join(folder, 'openapi.json'), join(folder, 'schema.d.ts')]
    await writeFile(input, JSON.stringify(withoutProse(document)))
    run(process.execPath, [join(TOOLS, 'node_modules', '.bin', 'openapi-typescript'), input, '-o', output])
    return await readFile(output, 'utf8')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function withoutProse(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutProse)
  if (value === null || typeof value !== 'object') return value
  const kept = Object.entries(value).filter(
    ([name, member]) =>
      !(['description', 'summary', 'example', 'examples', 'pattern'].includes(name) && typeof member !== 'object') &&
      name !== 'examples',
  )
  return Object.fromEntries(kept.map(([name, member]) => [name, withoutProse(member)]))
}

function run(command: string, args: string[]): void {
  const { status, stderr, stdout } = spawnSync(command, args, { cwd: TOOLS, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command} failed: ${stdout}${stderr}`)
}
