// Checks a downloaded export against its manifest.json: `npm run verify-export -- <folder>`. It needs Node alone.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

const [folder] = process.argv.slice(2)
if (!folder) fail(['Name the folder that holds manifest.json and its files: npm run verify-export -- <folder>'])

const manifest = await readManifest(join(folder, 'manifest.json'))
const problems = []
let rows = 0
for (const [at, part] of manifest.parts.entries()) {
  const { n, name, bytes, sha256 } = part
  rows += part.rows
  if (n !== at + 1) problems.push(`part ${at + 1} is missing from the manifest`)
  // A name that leaves the folder is no name of a part.
  if (!/^[\w.-]+$/.test(name) || name.startsWith('.')) {
    problems.push(`part ${n} has a name that is none`)
    continue
  }
  const found = await digest(join(folder, name))
  if (!found) problems.push(`${name} is missing`)
  else if (found.bytes !== bytes) problems.push(`${name} has ${found.bytes} bytes instead of ${bytes}`)
  else if (found.sha256 !== sha256) problems.push(`${name} was changed: its SHA-256 is ${found.sha256}`)
}
if (rows !== manifest.rows) problems.push(`the parts have ${rows} rows instead of ${manifest.rows}`)
const named = new Set(['manifest.json', ...manifest.parts.map(({ name }) => name)])
for (const name of await readdir(folder)) if (!named.has(name)) problems.push(`${name} is not in the manifest`)
if (problems.length > 0) fail(problems)
const count = (number, word) => `${number} ${word}${number === 1 ? '' : 's'}`
process.stdout.write(
  `ok: ${count(manifest.parts.length, 'file')}, ${count(manifest.rows, 'row')} of ${manifest.snapshot_at}\n`,
)

async function readManifest(path) {
  try {
    const read = JSON.parse(await readFile(path, 'utf8'))
    if (!Array.isArray(read.parts)) throw new Error('it has no parts')
    return read
  } catch (error) {
    return fail([`manifest.json cannot be read: ${error.message}`])
  }
}

async function digest(path) {
  const hash = createHash('sha256')
  let bytes = 0
  try {
    for await (const chunk of createReadStream(path)) {
      hash.update(chunk)
      bytes += chunk.length
    }
  } catch {
    return null
  }
  return { bytes, sha256: hash.digest('hex') }
}

function fail(reasons) {
  for (const reason of reasons) process.stderr.write(`${reason}\n`)
  process.exit(1)
}
