// Checks that anyone may use the packages, and that the lock file names no machine.
import { missingBinaries, type Lock } from './lock-file.ts'
import { readText, report } from '../project.ts'

const ALLOWED = new Set([
  'MIT',
  'MIT-0',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MPL-2.0',
  '0BSD',
  'CC0-1.0',
  'BlueOak-1.0.0',
  'Unlicense',
  'PostgreSQL',
  'Python-2.0',
])

// Packages whose package.json names no licence, by what their LICENSE file or README says.
const LICENSE_FILES: Record<string, string> = Object.fromEntries(
  ['busboy', 'dicer', 'humanize-number', 'only', 'png-js', 'streamsearch'].map((name) => [
    `node_modules/${name}`,
    'MIT',
  ]),
)

const text = await readText('package-lock.json')
const lock = JSON.parse(text) as Lock
const packages = Object.entries(lock.packages).filter(([path]) => path !== '')
const problems: string[] = []

for (const [path, { license = LICENSE_FILES[path] ?? 'no licence' }] of packages)
  if (!isAllowed(license))
    problems.push(`${path} is under ${license}, which is not on the list of scripts/checks/dependencies.ts`)
for (const { name } of missingBinaries(lock))
  problems.push(
    `package-lock.json leaves out ${name}, so \`npm ci\` fails: run \`node scripts/checks/complete-lock.ts\``,
  )
for (const [path, { resolved, link, integrity, optional }] of packages) {
  if (resolved !== undefined || link)
    problems.push(`${path} is locked to a place (${resolved ?? 'a link'}): remove \`resolved\` from package-lock.json`)
  if (!integrity && !optional) problems.push(`${path} has no checksum in package-lock.json`)
}
for (const [place] of text.matchAll(/"(?:file:|git\+|ssh:|https?:\/\/[^"/]*(?:registry|npm\.|localhost|:\d))[^"]*"/g))
  problems.push(`package-lock.json names ${place}`)
report(
  problems,
  `${packages.length} packages under ${[...new Set(packages.map(([, { license }]) => license))].sort().join(', ')}`,
)

// SPDX: either side of an OR will do, both sides of an AND must.
function isAllowed(license: string): boolean {
  const plain = license.replaceAll(/[()]/g, '')
  return plain.split(' OR ').some((side) => side.split(' AND ').every((name) => ALLOWED.has(name.trim())))
}
