import { readFileSync } from 'node:fs'

const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }

/** The version of `package.json`, as `/health` and `User-Agent` report it. */
export const VERSION = manifest.version
