// Documents, programs and the console name only paths, npm scripts, settings, screens and operations that exist, npm
// scripts run files that exist, comments point only to headings that exist, and operators find every setting.
import {
  brokenNames,
  brokenPlaces,
  brokenPointers,
  brokenReferences,
  brokenScripts,
  headingsOf,
  missingSettings,
} from './doc-references.ts'
import { listFiles, readScreens, readText, report } from '../project.ts'

const files = await listFiles()
const documents = files.filter((path) => /^(README|STYLE)\.md$|^docs\/.*\.md$/.test(path))
const { scripts } = JSON.parse(await readText('package.json')) as { scripts: Record<string, string> }
const config = await readText('src/platform/config/config.ts')
const settings = [...config.matchAll(/^ {2}([A-Z][A-Z0-9_]+):/gm)].map(([, name = '']) => name)
const sources = new Map<string, string>()
for (const path of files.filter((path) => /^(src|scripts|bench|torture)\/.*\.ts$|^migrations\/.*\.sql$/.test(path)))
  sources.set(path, await readText(path))
const code = [...sources].filter(([path]) => !/(\.test\.ts|\.sql)$/.test(path))
const read = code.flatMap(([, text]) =>
  [...text.matchAll(/\b([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)\b/g)].map(([, name = '']) => name),
)

const subject = { files, npmScripts: Object.keys(scripts), settings: [...new Set([...settings, ...read])] }
const problems: string[] =
  settings.length < 20 ? ['the settings could not be read from src/platform/config/config.ts'] : []
// The server hands out the pages that the console frames.
const frames = [...(sources.get('src/http/console/frames.ts') ?? '').matchAll(/app\.get\('(\/app[^']*)'/g)]
const places = {
  screens: [...(await readScreens(files)), ...frames.map(([, path = '']) => path)],
  ...(await readApi()),
}
if (places.screens.length < 50 || places.operations.length < 200)
  problems.push('the screens or the operations could not be read from web/console and openapi.json')
const headings = new Map<string, string[]>()
const texts = new Map<string, string>()
for (const path of documents) {
  const text = await readText(path)
  texts.set(path, text)
  headings.set(path, headingsOf(text))
  problems.push(...brokenReferences(path, text, subject), ...brokenPlaces(path, text, places))
}
for (const [path, text] of [...sources, ...texts])
  if (!path.startsWith('scripts/checks/doc-references')) problems.push(...brokenPointers(path, text, headings))
const programs = files.filter((path) =>
  /^(?:(?:scripts|bench|torture|web\/console)\/.*|vitest[\w.]*)(?<!\.test)\.tsx?$/.test(path),
)
for (const path of programs)
  if (!path.startsWith('scripts/checks/doc-references'))
    problems.push(...brokenNames(path, await readText(path), files, places))
problems.push(...brokenScripts(scripts, files))
if (files.includes('docs/operations.md'))
  problems.push(...missingSettings('docs/operations.md', await readText('docs/operations.md'), settings))
report(problems, `${documents.length} documents name only what exists`)

async function readApi(): Promise<{ operations: string[]; paths: string[] }> {
  const { paths } = JSON.parse(await readText('openapi.json')) as {
    paths: Record<string, Record<string, { operationId: string }>>
  }
  const operations = Object.values(paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => operationId),
  )
  return { operations, paths: Object.keys(paths) }
}
