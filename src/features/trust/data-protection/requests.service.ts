import type { z } from 'zod'
import { presentPage, type Page, type PageRequest } from '../../../http/routes/pagination.ts'
import { conflict, notFound, unprocessable, type Issue } from '../../../http/problems/problem.ts'
import { auditOf } from '../../../platform/audit.ts'
import type { ReadTx, TenantTx } from '../../../platform/database/database.ts'
import { formatId, newId, parseId, type Id } from '../../../platform/ids.ts'
import type { PersonAddress, PersonalData } from '../../../platform/personal.ts'
import type { Scope } from '../../../platform/scope.ts'
import { SWEEPS } from '../../../platform/work/sweeps.ts'
import { parseAddress } from '../addresses/address.ts'
import { ensureAddressHash } from '../addresses/addresses.service.ts'
import { deletePieces } from './search-results.store.ts'
import { monthAfter, sumOf, type Plan } from './plan.ts'
import { type CreatePrivacyRequest, type ErasureCertificate, PrivacyRequest } from './requests.schema.ts'
import { deleteArchives } from './archives.store.ts'
import * as store from './requests.store.ts'

type Presented = z.input<typeof PrivacyRequest>
/** Says what happened to a request, and nothing about its person. */
export const audited = auditOf('privacyRequest', { schema: PrivacyRequest })

type Subject = z.output<typeof CreatePrivacyRequest>['subject']

/** Takes a request. A worker runs it. @throws Problem 422 for an address or an id that cannot be one. */
export async function createRequest(
  scope: Scope,
  { kind, subject, dry_run, reason }: z.output<typeof CreatePrivacyRequest>,
  parts: PersonalData[],
): Promise<Presented> {
  const given = readSubject(subject)
  return scope.tx(async (tx) => {
    await refuseUnknown(tx, given.responseIds, parts)
    const personId = await findPerson(tx, given, parts)
    const now = scope.clock.now()
    const id = newId('privacyRequest')
    const plan: Plan = {
      reason: reason ?? null,
      person: {
        addresses: await hashed(scope, tx, given.addresses),
        responseIds: given.responseIds,
        mentionedIn: [],
        personIds: personId ? [personId] : [],
      },
      external: [],
      rounds: 0,
    }
    const row = await store.insertRequest(tx, {
      id,
      kind,
      dry_run,
      sealed: scope.secrets.seal(JSON.stringify(plan), sealContext(id)),
      due_at: monthAfter(now),
      created_at: now,
    })
    audited(scope, tx, 'create', id, { after: { kind, dry_run } })
    scope.wakeAfter(tx, SWEEPS, { group: '', ids: [] })
    return present(row)
  })
}

export async function listRequests(scope: Scope, page: PageRequest): Promise<Page<Presented>> {
  return presentPage(await scope.read((tx) => store.listRequests(tx, page)), page, present)
}

/** @throws Problem 404. */
export async function getRequest(scope: Scope, id: Id<'privacyRequest'>): Promise<Presented> {
  return present(await findRequest(scope, id))
}

/** @throws Problem 404; 409 before the erasure has ended, or for a request that erases nothing. */
export async function getCertificate(
  scope: Scope,
  id: Id<'privacyRequest'>,
): Promise<z.input<typeof ErasureCertificate>> {
  const { kind, dry_run, status, certificate } = await findRequest(scope, id)
  if (certificate && kind === 'erasure')
    return { ...certificate, left: certificate.left ?? [], erased: definedOf(certificate.erased) }
  if (kind !== 'erasure' || dry_run || status === 'cancelled')
    throw conflict('no_certificate', 'Only an erasure has a certificate, and this request erases nothing.')
  throw conflict('not_ready', `The erasure is ${status}. Its certificate is made when it is completed.`)
}

/** @throws Problem 404; 409 once something was erased, or the request has ended. */
export async function cancelRequest(scope: Scope, id: Id<'privacyRequest'>): Promise<Presented> {
  return scope.tx(async (tx) => {
    const cancelled = await store.cancelRequest(tx, id, scope.clock.now())
    if (cancelled) {
      await deleteArchives(tx, [id])
      await deletePieces(tx, id)
      audited(scope, tx, 'cancel', id)
      return present(cancelled)
    }
    const row = await store.findRequest(tx, id)
    if (!row) throw notFound('privacyRequest')
    throw conflict(
      'invalid_state',
      row.dry_run && row.status === 'ready'
        ? 'This dry run has ended, and changed nothing.'
        : `This request is ${row.status}. It can only be cancelled before anything is erased.`,
    )
  })
}

/** @throws Problem 404. */
export async function findRequest(scope: Scope, id: Id<'privacyRequest'>): Promise<store.RequestRow> {
  const row = await scope.read((tx) => store.findRequest(tx, id))
  if (!row) throw notFound('privacyRequest')
  return row
}

/** Whether words are being erased that a copy made now would still hold. */
export async function isErasing(scope: Scope): Promise<boolean> {
  return (await scope.read((tx) => store.findErasing(tx))) !== undefined
}

/** Work that read somebody before their erasure, and stores it afterwards, would keep them. */
export class ErasureError extends Error {}

/** @throws ErasureError if rows are being erased, or were until after a moment. Begin again later. */
export async function requireNoErasureSince(tx: ReadTx, since: Date): Promise<void> {
  if (await store.hasErasedSince(tx, since)) throw new ErasureError('somebody is being erased')
}

const SHORTEST_WAIT_MS = 2_000
const LONGEST_WAIT_MS = 60_000

/** When work that waits for an erasure asks again. It has waited for so long already, and waits as long again. */
export function afterErasure(scope: Scope, waitsSince: Date): Date {
  const now = scope.clock.now().getTime()
  const waited = now - waitsSince.getTime()
  return new Date(now + Math.min(LONGEST_WAIT_MS, Math.max(SHORTEST_WAIT_MS, waited)))
}

/** Differs after each erasure. Figures that were read before one are not for readers who come after it. */
export async function lastErasure(tx: ReadTx): Promise<string> {
  return (await store.findLastErased(tx))?.id ?? ''
}

/** A plan opens only in its own row. */
export function sealContext(id: string): string {
  return `privacy_requests:${id}`
}

interface Given {
  addresses: Array<{ kind: PersonAddress['kind']; address: string }>
  responseIds: Id<'response'>[]
  externalId: string | undefined
}

function readSubject({ email, phone, external_id, response_ids = [] }: Subject): Given {
  const issues: Issue[] = []
  const given: Given = { addresses: [], responseIds: [], externalId: external_id }
  for (const [kind, text] of [['email', email] as const, ['phone', phone] as const]) {
    if (text === undefined) continue
    const address = parseAddress(
      kind === 'email' ? 'email' : 'sms',
      kind === 'phone' ? text.replace(/^\s*00/, '+') : text,
    )
    if (address !== null) given.addresses.push({ kind, address })
    else
      issues.push({
        path: `subject.${kind}`,
        message:
          kind === 'email'
            ? 'Use an email address such as ada@example.com.'
            : 'Use the international form, such as +4930901820.',
      })
  }
  if (issues.length > 0) throw unprocessable('invalid_address', issues)
  for (const [index, text] of response_ids.entries()) {
    const id = parseId('response', text)
    if (id) given.responseIds.push(id)
    else issues.push(unknownResponse(index))
  }
  if (issues.length > 0) throw unprocessable('unknown_response', issues.slice(0, 100))
  return given
}

/** @throws Problem 422 `unknown_person` if nothing else says whom the request is about. */
async function findPerson(
  tx: TenantTx,
  { externalId, addresses, responseIds }: Given,
  parts: PersonalData[],
): Promise<Id<'person'> | undefined> {
  if (externalId === undefined) return undefined
  for (const part of parts) {
    const id = await part.findPerson?.(tx, externalId)
    if (id) return id
  }
  if (addresses.length > 0 || responseIds.length > 0) return undefined
  throw unprocessable('unknown_person', [{ path: 'subject.external_id', message: 'No person has this id.' }])
}

async function refuseUnknown(tx: TenantTx, ids: Id<'response'>[], parts: PersonalData[]): Promise<void> {
  if (ids.length === 0) return
  const known = new Set<string>()
  for (const { listResponses } of parts) for (const id of (await listResponses?.(tx, ids)) ?? []) known.add(id)
  const issues = ids.flatMap((id, index) => (known.has(id) ? [] : [unknownResponse(index)]))
  if (issues.length > 0) throw unprocessable('unknown_response', issues.slice(0, 100))
  const anonymous = new Set<string>()
  for (const { listAnonymous } of parts) for (const id of (await listAnonymous?.(tx, ids)) ?? []) anonymous.add(id)
  const named = ids.flatMap((id, index) => (anonymous.has(id) ? [index] : []))
  if (named.length > 0)
    throw unprocessable(
      'anonymous',
      named.slice(0, 100).map((index) => ({
        path: `subject.response_ids.${index}`,
        message: 'Leave it out. It belongs to an anonymous survey, and nobody can tell whose it is.',
      })),
      'A response to an anonymous survey belongs to no person.',
    )
}

function unknownResponse(index: number): Issue {
  return { path: `subject.response_ids.${index}`, message: 'There is no such response.' }
}

async function hashed(scope: Scope, tx: TenantTx, addresses: Given['addresses']): Promise<PersonAddress[]> {
  if (addresses.length === 0) return []
  const hashOf = await ensureAddressHash(scope, tx)
  return addresses.map(({ kind, address }) => ({
    kind,
    address,
    hash: hashOf(kind === 'email' ? 'email' : 'sms', address),
  }))
}

function present(row: store.RequestRow): Presented {
  return {
    id: formatId('privacyRequest', row.id),
    kind: row.kind,
    status: row.status,
    dry_run: row.dry_run,
    due_at: row.due_at.toISOString(),
    counts: definedOf(row.counts),
    progress: { done: sumOf(row.erased), total: Math.max(sumOf(row.counts), sumOf(row.erased)) },
    created_at: row.created_at.toISOString(),
    completed_at: row.completed_at?.toISOString() ?? null,
    error: row.certificate?.error ?? null,
  }
}

function definedOf(counts: store.RequestRow['counts']): Record<string, number> {
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== undefined))
}
