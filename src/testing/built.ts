import { spawnSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
let isChecked = false

/** Builds `dist` if a source is newer, so that processes run the code as it is now. */
export function ensureBuilt(): void {
  if (isChecked) return
  isChecked = true
  const built = statSync(join(ROOT, 'dist/server/main.js'), { throwIfNoEntry: false })?.mtimeMs ?? 0
  if (newest('src', 'scripts', 'web', 'package-lock.json') < built) return
  const { status, stderr } = spawnSync(process.execPath, ['scripts/build.ts'], { cwd: ROOT, encoding: 'utf8' })
  if (status !== 0) throw new Error(`the server cannot be built: ${stderr}`)
}

function newest(...paths: string[]): number {
  const files = paths.flatMap((path) => {
    if (!statSync(join(ROOT, path)).isDirectory()) return [path]
    return readdirSync(join(ROOT, path), { recursive: true }).map((name) => join(path, String(name)))
  })
  return Math.max(...files.map((file) => statSync(join(ROOT, file)).mtimeMs))
}
