import { createHash } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { watch } from 'node:fs'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { rolldown } from 'rolldown'
import { buildConsole } from './console.ts'

const ROOT = new URL('../../', import.meta.url)
const TARGET = new URL('dist/web/', ROOT)
const PROGRAMS = {
  respondent: 'web/respondent/respondent.ts',
  proof: 'web/respondent/proof.ts',
  embed: 'web/embed/embed.ts',
  frame: 'web/embed/frame.ts',
}

/** Those that a look may name. */
const FONTS = ['inter', 'nunito', 'literata']

/** Writes a built file and its compressed copies. A name that already changes with the content is given as named. */
export type Keep = (name: string, content: string | Buffer, isNamed?: boolean) => Promise<string>

// The engine's types also hold conversations. A page never has one, and gets its words from the server.
const CONVERSATIONS = /\/survey-engine\/(?:language\/(?:words\/|reply-)|types\/families\/options\.ts)/
// The numbering plans of all countries are large. The page only checks the digits, and the server reads them again.
const NUMBERING_PLANS = '/survey-engine/model/phones.ts'

/** Builds the programs of `web/` into `dist/web`: hashed names, compressed copies, and a manifest. */
export async function buildWeb(): Promise<void> {
  const fresh = new URL(`dist/web-${process.pid}/`, ROOT)
  await mkdir(fresh, { recursive: true })
  const keep: Keep = async (name, content, isNamed = false) => {
    const hash = createHash('sha256').update(content).digest('base64url').slice(0, 12)
    const kept = isNamed ? name : name.replace(/(?=\.\w+$)/, `-${hash}`)
    await writeCompressed(new URL(kept, fresh), content)
    return kept
  }
  const manifest: Record<string, string> = await buildConsole(keep)
  for (const [program, input] of Object.entries(PROGRAMS)) {
    const made = await rolldown({
      input: new URL(input, ROOT).pathname,
      platform: 'browser',
      transform: { target: 'es2022' },
      plugins: [{ name: 'server-only', load: withoutServerOnly }],
    })
    const { output } = await made.generate({ format: 'iife', minify: true })
    manifest[program] = await keep(`${program}.js`, output[0].code)
  }
  for (const font of FONTS)
    manifest[`font.${font}`] = await keep(`${font}.woff2`, await readFile(new URL(`web/ui/fonts/${font}.woff2`, ROOT)))
  await writeFile(new URL('manifest.json', fresh), `${JSON.stringify(manifest, null, 2)}\n`)
  await rm(TARGET, { recursive: true, force: true })
  await rename(fresh, TARGET)
}

async function writeCompressed(file: URL, content: string | Buffer): Promise<void> {
  const bytes = Buffer.from(content)
  const [brotli, gzipped] = await Promise.all([
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
    promisify(gzip)(bytes, { level: 9 }),
  ])
  await Promise.all([
    writeFile(file, bytes),
    writeFile(new URL(`${file.href}.br`), brotli),
    writeFile(new URL(`${file.href}.gz`), gzipped),
  ])
}

async function withoutServerOnly(id: string): Promise<string | null> {
  const path = id.replaceAll('\\', '/')
  if (path.endsWith(NUMBERING_PLANS)) return "export { phoneDigits as normalisePhone } from './formats.ts'"
  if (!CONVERSATIONS.test(path)) return null
  const source = await readFile(id, 'utf8')
  return [...source.matchAll(/^export (function|const) (\w+)/gm)]
    .map(([, kind, name]) => `export const ${name} = ${kind === 'const' ? '{}' : '() => null'}`)
    .join('\n')
}

/** Builds `dist/web` again after each change. */
export function watchWeb(): void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const again = () => {
    clearTimeout(timer)
    timer = setTimeout(() => void buildWeb().then(() => console.log('built dist/web again'), console.error), 100)
  }
  for (const folder of ['web', 'src/survey-engine']) watch(new URL(folder, ROOT), { recursive: true }, again)
}
