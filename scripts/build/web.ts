import { createHash } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { watch } from 'node:fs'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { rolldown } from 'rolldown'
import { engineOfPages } from './engine.ts'
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
      plugins: [engineOfPages],
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

/** Builds `dist/web` again after each change. */
export function watchWeb(): void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const again = () => {
    clearTimeout(timer)
    timer = setTimeout(() => void buildWeb().then(() => console.log('built dist/web again'), console.error), 100)
  }
  for (const folder of ['web', 'src/survey-engine']) watch(new URL(folder, ROOT), { recursive: true }, again)
}
