import { copyFile, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { existsSync, statSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { rolldown, type Plugin } from 'rolldown'
import { ROOT } from '../project.ts'

const TARGET = join(ROOT, 'dist/server')
/** These bring binaries, so they stay packages. They are the `dependencies` of package.json, all others are bundled. */
const PACKAGES = /^(?:@electric-sql\/pglite|@napi-rs\/image|@node-rs\/argon2|@resvg\/resvg-js)(?:\/|$)/
const COMMANDS = ['bootstrap', 'doctor', 'move', 'numbers', 'password', 'reseal', 'seed']
const WORKERS = [
  'src/adapters/smtp/smtp-worker.ts',
  'src/features/access/assets/picture-worker.ts',
  'src/features/answers/verbatim/rules-engine/classify-worker.ts',
  'src/features/outreach/email-templates/template-worker.ts',
  'src/features/programme/dashboards/drawing/chart-worker.ts',
  'src/features/programme/scheduled-reports/pdf-worker.ts',
]
const ADDRESS = /new URL\('([^']+)', import\.meta\.url\)/g

/** Bundles the server and the commands of the operator into `dist/server`, with the licences of what is inside. */
export async function buildServer(): Promise<void> {
  const fresh = `${TARGET}-${process.pid}`
  const files = new Map<string, string>()
  const bundle = await rolldown({
    cwd: ROOT,
    input: Object.fromEntries(
      ['src/main.ts', ...WORKERS, ...COMMANDS.map((name) => `scripts/${name}.ts`)].map((path) => [
        basename(path, '.ts'),
        path,
      ]),
    ),
    platform: 'node',
    // A bundle is a module, which does not have these names of older packages.
    transform: { define: { __dirname: 'import.meta.dirname', __filename: 'import.meta.filename' } },
    external: [PACKAGES, /^pg-native$/],
    plugins: [addresses(files)],
  })
  const { output } = await bundle.write({
    dir: fresh,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
  })
  for (const [name, path] of files) await copyFile(path, join(fresh, name))
  const modules = output.flatMap((one) => (one.type === 'chunk' ? one.moduleIds : []))
  await writeFile(join(fresh, 'licenses.txt'), await licencesOf(modules))
  await mkdir(dirname(TARGET), { recursive: true })
  await rm(TARGET, { recursive: true, force: true })
  await rename(fresh, TARGET)
}

/**
 * Workers become files of the bundle. Files of `src` and of packages are copied beside it, all others stay in place.
 */
function addresses(files: Map<string, string>): Plugin {
  return {
    name: 'addresses',
    transform(code, id) {
      if (!id.startsWith(ROOT) || id.includes('/node_modules/') || !code.includes('import.meta.url')) return null
      return code.replaceAll(ADDRESS, (_, address: string) => {
        if (address.endsWith('.ts')) return `new URL('./${basename(address, '.ts')}.js', import.meta.url)`
        const path = resolve(dirname(id), address)
        const place = relative(ROOT, path)
        const isInside = /^(?:src|node_modules)\//.test(place) && existsSync(path) && statSync(path).isFile()
        if (isInside) files.set(basename(path), path)
        return `new URL('${isInside ? `./${basename(path)}` : `../../${place}${address.endsWith('/') && place ? '/' : ''}`}', import.meta.url)`
      })
    },
  }
}

async function licencesOf(modules: string[]): Promise<string> {
  const folders = new Set<string>()
  for (const id of modules) {
    const [, folder] = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(id) ?? []
    if (folder) folders.add(folder)
  }
  const parts: string[] = []
  for (const folder of [...folders].sort()) {
    const { name, version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
    const file = ['LICENSE', 'LICENSE.md', 'LICENSE.txt', 'LICENCE', 'license', 'License', 'LICENSE-MIT.txt']
      .map((each) => join(folder, each))
      .find((each) => existsSync(each))
    parts.push(`${name} ${version} (${license})\n\n${file ? await readFile(file, 'utf8') : ''}`)
  }
  return parts.join(`\n${'-'.repeat(80)}\n\n`)
}
