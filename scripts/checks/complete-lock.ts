// Adds to package-lock.json the optional binaries of other platforms that the registry at hand did not offer.
// `npm ci` of npm 11 refuses a lock file that leaves one out; nothing is fetched for a platform that is not this one.
import { writeFile } from 'node:fs/promises'
import { missingBinaries, type Lock } from './lock-file.ts'
import { readText, ROOT } from '../project.ts'

const lock = JSON.parse(await readText('package-lock.json')) as Lock
const added = missingBinaries(lock)
for (const { name, ...binary } of added) lock.packages[`node_modules/${name}`] = binary
const [root, ...rest] = Object.entries(lock.packages)
lock.packages = Object.fromEntries([...(root ? [root] : []), ...rest.sort(([a], [b]) => a.localeCompare(b, 'en'))])
await writeFile(`${ROOT}package-lock.json`, `${JSON.stringify(lock, null, 2)}\n`)
console.log(`added ${added.length} packages to package-lock.json`)
