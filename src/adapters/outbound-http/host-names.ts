import { lookup, Resolver } from 'node:dns/promises'
import { readFile } from 'node:fs/promises'

// A name server that does not answer ends a look-up after two tries.
const TRY_MS = 2_000
const TRIES = 2
const UNKNOWN = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME'])
const HOSTS_FILE = '/etc/hosts'
// A resolver reads the system's name servers when it is made, and they may change.
const FRESH_MS = 60_000

export interface NameOptions {
  /** Name servers as `address:port`. Default: those of the system. */
  servers?: string[]
  tryMs?: number
}

/**
 * Looks up host names that tenants chose, IPv4 first. The system's own look-up takes a thread for as long as a name
 * server is silent, and a process has few of them, so it is asked only for names that no name server of a stranger can
 * answer: those without a dot, `*.localhost`, and those of the hosts file.
 * @returns a function that throws an error with the code `ENOTFOUND`, or `EAI_AGAIN` where no server answered.
 */
export function createNames({ servers, tryMs = TRY_MS }: NameOptions = {}): (host: string) => Promise<string[]> {
  let made = { resolver: makeResolver(), at: performance.now() }
  return async (host) => {
    if (!host.includes('.') || host.endsWith('.localhost') || (await isInHostsFile(host))) return ofSystem(host)
    if (performance.now() - made.at > FRESH_MS) made = { resolver: makeResolver(), at: performance.now() }
    const { resolver } = made
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    if (addresses.length > 0) return addresses
    const codes = answers.map((answer) =>
      answer.status === 'rejected' ? (answer.reason as { code?: string }).code : '',
    )
    const isUnknown = codes.every((code) => UNKNOWN.has(code ?? ''))
    throw Object.assign(new Error('the name has no address'), { code: isUnknown ? 'ENOTFOUND' : 'EAI_AGAIN' })
  }

  function makeResolver(): Resolver {
    const resolver = new Resolver({ timeout: tryMs, tries: TRIES })
    if (servers) resolver.setServers(servers)
    return resolver
  }
}

async function ofSystem(host: string): Promise<string[]> {
  const answers = await lookup(host, { all: true, verbatim: true })
  return answers.map(({ address }) => address)
}

async function isInHostsFile(host: string): Promise<boolean> {
  const text = await readFile(HOSTS_FILE, 'utf8').catch(() => '')
  return text.split('\n').some((line) => {
    const [, ...names] = (line.split('#', 1)[0] ?? '').trim().split(/\s+/)
    return names.some((name) => name.toLowerCase() === host)
  })
}
