import { uuidv7, V7Generator } from 'uuidv7'

/**
 * Prefixes of public ids (docs/specification.md, "Conventions"). Outside, an id is a TypeID (`wh_01j…`). Inside, it is
 * the bare UUIDv7: 16 bytes in the database.
 */
export const ID_PREFIXES = {
  workspace: 'ws',
  user: 'usr',
  apiKey: 'key',
  role: 'rol',
  survey: 'srv',
  response: 'rsp',
  webhook: 'wh',
  event: 'evt',
  delivery: 'whd',
  backfill: 'bkf',
  invitation: 'inv',
  memberInvitation: 'mbi',
  send: 'snd',
  surveyDelivery: 'sdl',
  template: 'tpl',
  shortUrl: 'lnk',
  inboundNumber: 'num',
  suppression: 'sup',
  notification: 'ntf',
  notificationSubscription: 'nts',
  agent: 'agt',
  privacyRequest: 'gdr',
  auditEntry: 'aud',
  person: 'per',
  segment: 'seg',
  topic: 'top',
  alertRule: 'rul',
  alert: 'alr',
  lead: 'lead',
  badge: 'bdg',
  dashboard: 'dsh',
  dashboardShare: 'shr',
  report: 'rpt',
  reportRun: 'rrn',
  filterView: 'flt',
  exportTemplate: 'ext',
  exportSchedule: 'exs',
  exportRun: 'exr',
  asset: 'ast',
  session: 'ses',
  testReceiver: 'trc',
  batch: 'bat',
  note: 'nte',
} as const

export type IdKind = keyof typeof ID_PREFIXES
declare const kindOf: unique symbol
/** The UUID of one kind of thing, in lower-case hex with dashes. */
export type Id<K extends IdKind> = string & { readonly [kindOf]: K }
export type TenantId = Id<'workspace'>

// TypeID 0.3: Crockford's base32 in lower case, 26 characters for 128 bits.
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const VALUES = new Map([...ALPHABET].map((letter, value) => [letter, BigInt(value)]))
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

export function newId<K extends IdKind>(_kind: K): Id<K> {
  return uuidv7() as Id<K>
}

const ofAMoment = new V7Generator()

/** An id made at `moment` by our own clock. Ids of one moment sort in the order in which they were made. */
export function newIdAt<K extends IdKind>(_kind: K, moment: Date): Id<K> {
  return newUuidAt(moment) as Id<K>
}

/** The same for a row without a public id. */
export function newUuidAt(moment: Date): string {
  return ofAMoment.generateOrResetWithTs(moment.getTime()).toString()
}

/** Ids sort by creation time: everything made before `moment` has a lower one, up to the clock differences of hosts. */
export function lowestIdAt(moment: Date): string {
  const hex = Math.max(0, moment.getTime()).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-0000-0000-000000000000`
}

/** `wh_01j…` for a UUID. */
export function formatId<K extends IdKind>(kind: K, id: Id<K>): string {
  const hex = id.replaceAll('-', '')
  // 128 bits make 26 digits: the first byte makes two, and each 20 bits after it make four.
  const head = Number.parseInt(hex.slice(0, 2), 16)
  let text = `${ID_PREFIXES[kind]}_${ALPHABET[head >> 5]}${ALPHABET[head & 31]}`
  for (let at = 2; at < 32; at += 5) {
    const bits = Number.parseInt(hex.slice(at, at + 5), 16)
    text += `${ALPHABET[bits >> 15]}${ALPHABET[(bits >> 10) & 31]}${ALPHABET[(bits >> 5) & 31]}${ALPHABET[bits & 31]}`
  }
  return text
}

/** The UUID of a TypeID. Null if it is not of this kind. */
export function parseId<K extends IdKind>(kind: K, text: string): Id<K> | null {
  const prefix = `${ID_PREFIXES[kind]}_`
  if (!text.startsWith(prefix) || text.length !== prefix.length + 26) return null
  let value = 0n
  for (const letter of text.slice(prefix.length)) {
    const digit = VALUES.get(letter)
    if (digit === undefined) return null
    value = (value << 5n) | digit
  }
  if (value >> 128n) return null
  const hex = value.toString(16).padStart(32, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}` as Id<K>
}

const KINDS = new Map(Object.entries(ID_PREFIXES).map(([kind, prefix]) => [prefix as string, kind as IdKind]))

/** Whether a text is the TypeID of any kind of thing. */
export function isAnyId(text: string): boolean {
  const kind = KINDS.get(text.slice(0, text.indexOf('_')))
  return kind !== undefined && parseId(kind, text) !== null
}

/** The UUID of these 16 bytes. */
export function uuidOfBytes(bytes: Buffer): string {
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

export function isUuid(text: string): boolean {
  return UUID.test(text)
}
