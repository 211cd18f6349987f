import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { ROOT } from '../project.ts'
import { engineOfPages } from './engine.ts'
import type { Keep } from './web.ts'

// The order of the cascade. Styles of the console's own folders come after the parts.
const STYLES = ['tokens', 'base', 'controls', 'lists', 'charts', 'overlays'].map((name) => `web/ui/${name}.css`)

// Styles of screens other than home, which needs none of its own. They come with the first of these screens.
const LATER_STYLES = /web\/console\/(?:screens|list|links|boards)\//

// Everything that each screen needs travels in two files, and that of each list in a third: a request costs as much as
// half a KiB of code.
const PACKAGES = {
  name: 'packages',
  test: /node_modules\/(?:react|react-dom|scheduler|use-sync-external-store|i18next|openapi-fetch|eventsource-parser|@tanstack\/(?!(?:react-)?virtual))/,
  priority: 2,
}
/** Files that a later act needs, by the end of their names. */
const LATER_FILES = [
  'dialog',
  'field',
  'form',
  'copy-text',
  'loaded',
  'sign-in',
  'sign-up',
  'menu-popup',
  'popover',
  'palette',
  'shortcut-list',
  'confirm',
  'save-view',
  'filter-editor',
  'secret-once',
  'role-choice',
  'frame/call',
  'mail-note',
]
const LATER = new RegExp(`(?:${LATER_FILES.join('|')})\\.tsx?$`)
const FRAME = {
  name: 'frame',
  test: (id: string) =>
    /\/web\/(?:(?:ui|api|console\/(?:app|frame|session|words))\/[\w-]+|console\/endpoints\/endpoint-name)\.tsx?$/.test(
      id,
    ) && !LATER.test(id),
  priority: 1,
}
// Figures with their doubt, on home and on each screen that has some.
const FIGURES = {
  name: 'figures',
  test: /\/web\/(?:console\/(?:(?:figures|lede)\/[\w-]+|boards\/(?:state|stored))|charts\/(?:svg|scale|trend|marks))\.tsx?$|node_modules\/(?:d3-|internmap)/,
  priority: 1,
}
const LIST = {
  name: 'list',
  test: (id: string) =>
    /\/web\/console\/list\/(?:[a-z]+\/)?[\w-]+\.tsx?$|@tanstack\/(?:react-)?virtual/.test(id) && !LATER.test(id),
  priority: 1,
}

// Parts of the builder that other screens need as well.
const FORMS = {
  name: 'forms',
  test: /\/web\/(?:ui\/form|console\/looks\/picture)\.tsx$|\/look\/normal-form\.ts$/,
  priority: 1,
}

// The views of the builder share most of their code, and one file more is one request more.
const VIEW_FILES = [
  'languages',
  'add-language',
  'endings',
  'quotas',
  'look',
  'rules',
  'targeting',
  'logic-map',
  'publish',
  'versions',
  'conflict',
  'changes',
  'move-to',
  'rename-question',
  'map',
]
const VIEWS = new RegExp(`/screens/build/[a-z]+/(?:${VIEW_FILES.join('|')})\\.tsx?$`)
const BUILDER = {
  name: 'builder',
  test: (id: string) =>
    (/\/screens\/build\/(?!words)/.test(id) && !id.endsWith('/build/state.ts') && !VIEWS.test(id)) ||
    id.includes('/src/survey-engine/'),
  priority: 1,
}

/**
 * Builds the console: one module a screen, loaded when it is opened, with one style, the fonts and the sprite of signs.
 *
 * @param keep writes a file under a name that changes with its content, and returns the name
 */
export async function buildConsole(keep: Keep): Promise<Record<string, string>> {
  const [entry, styles, icons] = await Promise.all([buildScript(keep), buildStyles(keep), buildIcons(keep)])
  return { ...entry, ...styles, 'icons.svg': icons }
}

async function buildScript(keep: Keep): Promise<Record<string, string>> {
  const made = await rolldown({
    input: { console: join(ROOT, 'web/console/main.tsx') },
    platform: 'browser',
    tsconfig: join(ROOT, 'web/tsconfig.json'),
    plugins: [engineOfPages],
    transform: { target: 'es2022', define: { 'process.env.NODE_ENV': '"production"' } },
    // The parts are marked for servers that draw React. We draw in the browser alone.
    onLog: (level, log, show) => {
      if (log.code !== 'MODULE_LEVEL_DIRECTIVE') show(level, log)
    },
  })
  const { output } = await made.generate({
    format: 'esm',
    minify: true,
    entryFileNames: '[name]-[hash].js',
    chunkFileNames: 'console-[name]-[hash].js',
    codeSplitting: { groups: [PACKAGES, FRAME, FIGURES, LIST, FORMS, BUILDER] },
  })
  refuseLost(output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : [])))
  const manifest: Record<string, string> = {}
  for (const file of output) {
    if (file.type !== 'chunk') continue
    const name = await keep(file.fileName, file.code, true)
    // The page names these ahead, so that the browser loads them at once.
    if (file.isEntry) Object.assign(manifest, { 'console.js': name, 'console.first': file.imports.join(' ') })
  }
  return manifest
}

/** A file that was moved or renamed would travel in another part, and no test would say so. */
function refuseLost(modules: string[]): void {
  const lost = [...LATER_FILES.map((name) => `${name}.ts`), ...VIEW_FILES.map((name) => `/${name}.ts`)].filter(
    (end) => !modules.some((id) => id.endsWith(end) || id.endsWith(`${end}x`)),
  )
  if (lost.length > 0) throw new Error(`scripts/build/console.ts names files that are not there: ${lost.join(', ')}`)
}

async function buildStyles(keep: Keep): Promise<Record<string, string>> {
  const own = (await readdir(join(ROOT, 'web/console'), { recursive: true }))
    .filter((path) => path.endsWith('.css'))
    .toSorted()
    .map((path) => join('web/console', path))
  const first = [...STYLES, ...own.filter((path) => !LATER_STYLES.test(path))]
  const later = own.filter((path) => LATER_STYLES.test(path))
  return {
    'console.css': await buildStyle(keep, 'console.css', first),
    'screens.css': await buildStyle(keep, 'screens.css', later),
  }
}

async function buildStyle(keep: Keep, name: string, paths: string[]): Promise<string> {
  const texts = await Promise.all(paths.map((path) => readFile(join(ROOT, path), 'utf8')))
  let style = texts.join('\n')
  for (const [address, font = ''] of style.matchAll(/url\((fonts\/[\w-]+\.woff2)\)/g))
    style = style.replace(address, `url(${await keep(font.slice(6), await readFile(join(ROOT, 'web/ui', font)))})`)
  return keep(name, style.replaceAll(/\/\*.*?\*\//gs, '').replaceAll(/\s+/g, ' '))
}

async function buildIcons(keep: Keep): Promise<string> {
  return keep('icons.svg', await readFile(join(ROOT, 'web/ui/icons.svg')))
}
