// Every path, npm script and setting that README.md and docs/ name exists, and every setting is listed for operators.
import { brokenReferences, missingSettings } from './doc-references.ts'
import { listFiles, readText, report } from './project.ts'

const files = await listFiles()
const documents = files.filter((path) => /^(README|STYLE)\.md$|^docs\/.*\.md$/.test(path))
const { scripts } = JSON.parse(await readText('package.json')) as { scripts: Record<string, string> }
const config = await readText('src/platform/config.ts')
const settings = [...config.matchAll(/^ {2}([A-Z][A-Z0-9_]+):/gm)].map(([, name = '']) => name)
const sources = await Promise.all(
  files.filter((path) => /^(src|scripts|bench|torture)\/.*(?<!\.test)\.ts$/.test(path)).map(readText),
)
const read = sources.flatMap((text) =>
  [...text.matchAll(/\b([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)\b/g)].map(([, name = '']) => name),
)

const subject = { files, npmScripts: Object.keys(scripts), settings: [...new Set([...settings, ...read])] }
const problems: string[] = settings.length < 20 ? ['the settings could not be read from src/platform/config.ts'] : []
for (const path of documents) problems.push(...brokenReferences(path, await readText(path), subject))
if (files.includes('docs/operations.md'))
  problems.push(...missingSettings('docs/operations.md', await readText('docs/operations.md'), settings))
report(problems, `${documents.length} documents name only what exists`)
