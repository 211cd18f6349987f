// Checks an exported audit log, with nothing but Node:
//
//   node verify-audit.mjs log.jsonl [--anchor <seq>:<hash>]
//
// Each line is an entry of GET /v1/audit. Their order does not matter. docs/audit.md, "Check a log without a server"
import { createHash } from 'node:crypto'
import { createReadStream, realpathSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** Reads the lines of a log, and returns what GET /v1/audit/verify returns. */
export async function verifyLog(lines, anchor = null) {
  const sealed = new Map()
  let [waiting, repeated] = [0, null]
  for await (const line of lines) {
    if (line.trim() === '') continue
    const entry = JSON.parse(line)
    if (entry.seq === null) waiting += 1
    else if (sealed.has(entry.seq)) repeated = Math.min(repeated ?? entry.seq, entry.seq)
    else sealed.set(entry.seq, linkOf(entry))
  }
  const { head, broken_at, reason } = walk(sealed, repeated, anchor)
  return { ok: reason === null, entries: sealed.size, waiting, head, broken_at, reason }
}

function walk(sealed, repeated, anchor) {
  let head = null
  const broken = (reason) => ({ head, broken_at: (head?.seq ?? 0) + 1, reason })
  for (const seq of [...sealed.keys()].sort((a, b) => a - b)) {
    const { previous, hash, at, intact } = sealed.get(seq)
    const expected = (head?.seq ?? 0) + 1
    if (seq < expected || seq === repeated) return broken('inserted')
    if (seq > expected) return broken('missing')
    if (previous !== (head?.hash ?? '')) return broken('unlinked')
    if (!intact) return broken('edited')
    if (anchor?.seq === seq && anchor.hash !== hash) return broken('rewritten')
    head = { seq, hash, at }
  }
  return anchor && anchor.seq > (head?.seq ?? 0) ? broken('truncated') : { head, broken_at: null, reason: null }
}

function linkOf({ hash, ...content }) {
  const expected = createHash('sha256')
    .update(`${content.previous_hash}${canonical(content)}`)
    .digest('hex')
  return { previous: content.previous_hash, hash, at: content.at, intact: hash === expected }
}

/** RFC 8785: members in the order of their UTF-16 code units, and values as ECMAScript writes them. */
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.keys(value).sort()
  return `{${members.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(',')}}`
}

async function main([file, ...rest]) {
  const [, seq, hash] = /^([1-9]\d*):([0-9a-f]{64})$/.exec(rest[1] ?? '') ?? []
  if (file === undefined || (rest.length > 0 && (rest[0] !== '--anchor' || hash === undefined))) {
    console.error('Use: npm run verify-audit -- log.jsonl [--anchor <seq>:<hash>]')
    return 2
  }
  const lines = createInterface({ input: createReadStream(file, 'utf8'), crlfDelay: Infinity })
  const verdict = await verifyLog(lines, hash === undefined ? null : { seq: Number(seq), hash })
  console.log(JSON.stringify(verdict))
  return verdict.ok ? 0 : 1
}

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  try {
    process.exitCode = await main(process.argv.slice(2))
  } catch (error) {
    console.error(`The log cannot be read: ${error.message}`)
    process.exitCode = 2
  }
}
