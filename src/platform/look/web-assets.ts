import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { cacheOf, type Caches } from '../config/caches.ts'

/** A file of `dist/web`, as it is and compressed. */
export interface WebAsset {
  name: string
  type: string
  body: Buffer<ArrayBuffer>
  gzip: Buffer<ArrayBuffer>
  brotli: Buffer<ArrayBuffer>
  etag: string
}

/** The programs of `web/`, built. A page of `nothing built` does without them. */
export interface WebAssets {
  /** The file of a program, such as `respondent`. */
  program(name: string): WebAsset | undefined
  file(name: string): WebAsset | undefined
  /** The modules that the console needs at once, after its entry. */
  first: string[]
}

const FOLDER = new URL('../../../dist/web/', import.meta.url)
const TYPES: Record<string, string> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
}
const NONE: WebAssets = { program: () => undefined, file: () => undefined, first: [] }
const FILE = /^[\w.-]+\.(?:js|css|svg|woff2)$/
const BUILDS = cacheOf<string, WebAssets>({ max: 2 })

/** The files that `npm run build` made. A new build is read at once, so that `npm run dev` needs no restart. */
export function webAssets(caches: Caches): WebAssets {
  const built = statSync(new URL('manifest.json', FOLDER), { throwIfNoEntry: false })
  if (!built) return NONE
  const key = String(built.mtimeMs)
  const builds = caches.of(BUILDS)
  const found = builds.get(key) ?? readBuild()
  builds.set(key, found)
  return found
}

/** The path of a file, which changes with its content. */
export function assetPath({ name }: WebAsset): string {
  return `/assets/web/${name}`
}

function readBuild(): WebAssets {
  const manifest = JSON.parse(readFileSync(new URL('manifest.json', FOLDER), 'utf8')) as Record<string, string>
  const files = new Map(
    readdirSync(FOLDER)
      .filter((name) => FILE.test(name))
      .map((name) => [name, readAsset(name)]),
  )
  return {
    program: (name) => files.get(manifest[name] ?? ''),
    file: (name) => files.get(name),
    first: (manifest['console.first'] ?? '').split(' ').filter((name) => name !== ''),
  }
}

function readAsset(name: string): WebAsset {
  const read = (suffix: string) => Buffer.from(readFileSync(new URL(`${name}${suffix}`, FOLDER)))
  const body = read('')
  return {
    name,
    type: TYPES[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream',
    body,
    gzip: read('.gz'),
    brotli: read('.br'),
    etag: createHash('sha256').update(body).digest('base64url').slice(0, 22),
  }
}
