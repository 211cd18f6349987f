import { unprocessable } from '../../../../http/problems/problem.ts'
import type { Id } from '../../../../platform/ids.ts'
import { IS_A_MASK, isMask, MASK } from '../../../../platform/schemas/secret-schema.ts'
import type { SecretBox } from '../../../../platform/config/secrets.ts'

/** Headers of a workspace, by name. */
export type OwnHeaders = Record<string, string>

export const MAX_HEADERS = 10
// Ours, and those that belong to the connection (RFC 9110, section 7.6.1).
const RESERVED =
  /^(?:(?:x-voc|webhook|svix|proxy|content)-|(?:accept-encoding|user-agent|host|connection|keep-alive|transfer-encoding|te|trailer|upgrade|expect|date)$)/i

/**
 * The headers after a change: null takes one out, and those left out stay, as do those that come back masked.
 * @throws Problem 422 for a name that is ours, that stands twice, for a mask without a value, or for more than 10.
 */
export function changedHeaders(before: OwnHeaders, change: Record<string, string | null> | null): OwnHeaders {
  if (change === null) return {}
  const names = Object.keys(change).map((name) => name.toLowerCase())
  const issues = Object.keys(change).flatMap((name, index) => [
    ...(RESERVED.test(name) ? [issue(name, 'Earshot or the connection sets this header. Use another name.')] : []),
    ...(names.indexOf(name.toLowerCase()) < index ? [issue(name, 'This header appears twice. Remove one.')] : []),
  ])
  const known = new Map(Object.entries(before).map(([name, value]) => [name.toLowerCase(), value]))
  const kept = Object.entries(before).filter(([name]) => !names.includes(name.toLowerCase()))
  const given = Object.entries(change).flatMap(([name, value]): Array<[string, string]> => {
    if (value === null) return []
    if (!isMask(value)) return [[name, value]]
    const stored = known.get(name.toLowerCase())
    if (stored === undefined) issues.push(issue(name, IS_A_MASK))
    return [[name, stored ?? value]]
  })
  const after = Object.fromEntries([...kept, ...given])
  if (Object.keys(after).length > MAX_HEADERS)
    issues.push({
      path: 'headers',
      message: `A webhook can have at most ${MAX_HEADERS} headers of its own. Remove some.`,
    })
  if (issues.length > 0) throw unprocessable('invalid_header', issues)
  return after
}

/** Headers as they are stored, bound to their webhook. Null for none. */
export function sealHeaders(secrets: SecretBox, id: Id<'webhook'>, headers: OwnHeaders): string | null {
  return Object.keys(headers).length === 0 ? null : secrets.seal(JSON.stringify(headers), contextOf(id))
}

/** @throws when no key of SECRETS_KEY opens them. */
export function openHeaders(secrets: SecretBox, id: Id<'webhook'>, sealed: string | null): OwnHeaders {
  return sealed === null ? {} : (JSON.parse(secrets.open(sealed, contextOf(id))) as OwnHeaders)
}

export function maskedHeaders(names: string[]): OwnHeaders {
  return Object.fromEntries(names.map((name) => [name, MASK]))
}

function issue(name: string, message: string) {
  return { path: `headers.${name}`, message }
}

function contextOf(id: Id<'webhook'>): string {
  return `webhooks.headers:${id}`
}
