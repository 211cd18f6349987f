import Bowser from 'bowser'
import type { SecretBox } from '../../../platform/config/secrets.ts'
import type { Id } from '../../../platform/ids.ts'
import { oneLine } from '../../../platform/text/names.ts'
import type { Origin } from '../../../platform/scope.ts'

/** From where a session was used last. */
export interface SessionOrigin {
  clientIp: string | null
  browser: string | null
  system: string | null
}

// Callers choose their User-Agent.
const LONGEST_NAME = 60

export function sealOrigin(secrets: SecretBox, id: Id<'session'>, origin: Origin | null): string | null {
  if (!origin) return null
  const seen: SessionOrigin = { clientIp: origin.ip, ...namesIn(origin.userAgent) }
  return secrets.seal(JSON.stringify(seen), contextOf(id))
}

export function openOrigin(secrets: SecretBox, id: Id<'session'>, sealed: string | null): SessionOrigin {
  if (sealed === null) return { clientIp: null, browser: null, system: null }
  return JSON.parse(secrets.open(sealed, contextOf(id))) as SessionOrigin
}

function namesIn(userAgent: string): Pick<SessionOrigin, 'browser' | 'system'> {
  if (userAgent === '') return { browser: null, system: null }
  const { browser, os } = Bowser.parse(userAgent)
  return { browser: shortName(browser.name), system: shortName(os.name) }
}

function shortName(name: string | undefined): string | null {
  return oneLine(name ?? '').slice(0, LONGEST_NAME) || null
}

function contextOf(id: Id<'session'>): string {
  return `sessions:${id}`
}
