import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

export interface Import {
  /** A path under `src`, or a package's name. */
  to: string
  local: boolean
  /** The imported names. Empty for `* as` and for imports of a whole file. */
  names: string[]
}

export interface SourceFile {
  /** Under `src`, with forward slashes. */
  path: string
  imports: Import[]
}

const STATEMENT = /^(?:import|export)\s+([^'"`;]*?)\bfrom\s*['"]([^'"\n]+)['"]/gm
const BARE = /^import\s*['"]([^'"\n]+)['"]/gm
const CALL = /\b(?:import|require|resolve)\s*\(\s*['"]([^'"\n]+)['"]/g
// Our imports always end in `.ts`, so a quoted path is an import in any form: a call, a type, a URL.
const QUOTED = /['"`](\.{1,2}\/[^'"`\s]*\.tsx?)['"`]/g

export function readSources(root: string): SourceFile[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => /\.tsx?$/.test(path))
    .sort()
    .map((path) => parseImports(path, readFileSync(join(root, path), 'utf8')))
}

/** Every file and package that a TypeScript source imports, types included. */
export function parseImports(path: string, text: string): SourceFile {
  const found = new Map<string, Import>()
  const add = (specifier: string, names: string[]) => {
    const local = specifier.startsWith('.')
    const to = local ? normalize(join(dirname(path), specifier)).replaceAll('\\', '/') : packageOf(specifier)
    const known = found.get(to)
    if (known) known.names.push(...names)
    else found.set(to, { to, local, names })
  }
  for (const [, clause = '', specifier = ''] of text.matchAll(STATEMENT)) add(specifier, namesOf(clause))
  for (const pattern of [BARE, CALL, QUOTED])
    for (const [, specifier = ''] of text.matchAll(pattern)) add(specifier, [])
  return { path, imports: [...found.values()] }
}

function namesOf(clause: string): string[] {
  const braces = /\{([^}]*)\}/.exec(clause)?.[1] ?? ''
  return braces
    .split(',')
    .map((name) =>
      name
        .trim()
        .replace(/^type\s+/, '')
        .replace(/\s+as\s.*$/, ''),
    )
    .filter(Boolean)
}

function packageOf(specifier: string): string {
  if (specifier.startsWith('node:')) return 'node'
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
}
