import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../', import.meta.url))

const SKIPPED = /(^|\/)(node_modules|\.git|data|coverage)(\/|$)/

/** Paths of the project's own files, relative to its root. */
export async function listFiles(): Promise<string[]> {
  const top = await readdir(ROOT, { withFileTypes: true })
  const files: string[] = []
  for (const entry of top) {
    if (SKIPPED.test(entry.name)) continue
    if (entry.isFile()) files.push(entry.name)
    else if (entry.isDirectory())
      for (const name of await readdir(`${ROOT}${entry.name}`, { recursive: true })) files.push(`${entry.name}/${name}`)
  }
  return files.filter((path) => !SKIPPED.test(path)).sort()
}

export function readText(path: string): Promise<string> {
  return readFile(`${ROOT}${path}`, 'utf8')
}

/** The paths of the console's screens, such as `/app/surveys/$surveyId/build`. */
export async function readScreens(files: string[]): Promise<string[]> {
  const sources = files.filter((path) => /^web\/console\/.*\/route[rs]\.ts$/.test(path))
  const texts = await Promise.all(sources.map(readText))
  return texts.flatMap((text) => {
    const known = new Map<string, string>()
    const all = text.matchAll(
      /(?:const (\w+) = createRoute\(\{\n  getParentRoute: \(\) => (\w+),\n)?  path: '([^']+)'/g,
    )
    return [...all].flatMap(([, name = '', parent = '', own = '']) => {
      const path = own.startsWith('/') ? own : `${known.get(parent)}/${own}`
      known.set(name, path)
      return path.startsWith('/app') ? [path] : []
    })
  })
}

/** Ends a check: what is wrong, one line each, or one line that says what was looked at. */
export function report(problems: string[], fine: string): void {
  console.log(problems.length > 0 ? problems.join('\n') : fine)
  if (problems.length > 0) process.exitCode = 1
}
