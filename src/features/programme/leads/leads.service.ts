import type { z } from 'zod'
import { pageRequest, presentPage } from '../../../http/routes/pagination.ts'
import { conflict, notFound, unprocessable, type Issue } from '../../../http/problems/problem.ts'
import { auditOf } from '../../../platform/audit.ts'
import { isUniqueViolation, type ReadTx, type TenantTx } from '../../../platform/database/database.ts'
import { countIfAsked, countsOf } from '../../../platform/fields/counting.ts'
import { compileFilter } from '../../../platform/filter/compile.ts'
import type { Filter } from '../../../platform/filter/grammar.ts'
import { formatId, newId, type Id } from '../../../platform/ids.ts'
import { hashesOf as hashesOfPerson, type Person } from '../../../platform/personal.ts'
import { heldBy, isUnmasked } from '../../../platform/readers.ts'
import type { Scope } from '../../../platform/scope.ts'
import { requireMembers } from '../../access/members/membership.service.ts'
import { parseAddress } from '../../trust/addresses/address.ts'
import { masked, NO_CONTACT, openContact, sealContact, type Contact } from './contact.ts'
import { stageCreated } from './lead-events.service.ts'
import {
  type AddLeadNote,
  type CreateLead,
  Lead,
  LEAD_STATUSES,
  type LeadList,
  type LeadQuery,
  type UpdateLead,
} from './leads.schema.ts'
import { leads, type LeadRow } from './lead.entity.ts'
import * as store from './leads.store.ts'
import { ensureAddressHash } from '../../trust/addresses/addresses.service.ts'
import { listSuppressed } from '../../outreach/suppression/suppression.service.ts'
import { firstKeys, linesOf, type ExportSource } from '../../../platform/export-source.ts'
import { editedNotes, newNote, notesWithout } from '../../answers/rows/note.ts'

const MOST_NOTES = 200
/** Of all notes together. They are opened at once. */
const MOST_LETTERS = 200_000
const MOST_TAGS = 50
const audited = auditOf('lead', { schema: Lead })

type Presented = z.input<typeof Lead>
type Input = z.output<typeof CreateLead>

export async function listLeads(scope: Scope, query: z.output<typeof LeadQuery>): Promise<z.input<typeof LeadList>> {
  const asked = pageRequest(query)
  const condition = (tx: ReadTx, filter: Filter = { all: [] }) =>
    compileFilter('leads', filter, { tx, alias: 'l', now: scope.clock.now() })
  const { rows, page, counted } = await scope.read(async (tx) => {
    const matching = await condition(tx, query.filter)
    return { ...(await store.listLeads(tx, matching, asked)), counted: await store.countByStatus(tx, matching) }
  })
  return {
    ...presentPage(rows, page, (row) => present(scope, row)),
    counts: countsOf(LEAD_STATUSES, counted),
    ...(await countIfAsked(scope, query, {
      table: 'leads',
      alias: 'l',
      matching: (tx) => condition(tx, query.filter),
      all: (tx) => condition(tx),
    })),
  }
}

export async function getLead(scope: Scope, id: Id<'lead'>): Promise<Presented> {
  const row = await scope.read((tx) => store.findLead(tx, id))
  if (!row) throw notFound('lead')
  return present(scope, row)
}

/**
 * Adds a lead. One email or phone has one lead: a known one is answered as it is.
 * @throws Problem 409 `erased`, 422 for an address that is none, an unknown member, or a lead without a contact.
 */
export async function createLead(scope: Scope, input: Input): Promise<{ lead: Presented; isNew: boolean }> {
  return scope.tx(async (tx) => {
    const { row, contact } = await rowOf(scope, tx, newRow(scope), input, NO_CONTACT)
    if (contact.name === null && contact.email === null && contact.phone === null)
      throw unprocessable('no_contact', [{ path: '', message: 'Give a name, an email address or a phone number.' }])
    if ((await store.insertLead(tx, row)) === 0) {
      const [known] = await store.lockByContact(tx, row.email_hash, row.phone_hash)
      if (!known) throw conflict('contact_changed', 'Another request changed this lead. Try again.')
      return { lead: present(scope, known), isNew: false }
    }
    audited(scope, tx, 'create', row.id, { after: present(scope, row) })
    await stageCreated(scope, tx, row, { questionId: 'contact', contact })
    return { lead: present(scope, row), isNew: true }
  })
}

/** @throws Problem 409 `known_contact` or `erased`, 422 as above. */
export async function updateLead(scope: Scope, id: Id<'lead'>, input: z.output<typeof UpdateLead>): Promise<Presented> {
  try {
    return await change(scope, id, 'update', async (tx, before, contact) => {
      const whole = { ...inputOf(before, contact), ...input }
      return (await rowOf(scope, tx, before, whole, contact)).row
    })
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    throw conflict('known_contact', 'Another lead has this email address or phone number.')
  }
}

/** The values of a lead that a batch may change. */
export type LeadState = Pick<Presented, 'status' | 'owner_id' | 'follow_up_at' | 'tags'>

/** Locks the lead. Null: there is none. */
export async function readLeadState(tx: TenantTx, id: Id<'lead'>): Promise<LeadState | null> {
  const row = await store.lockLead(tx, id)
  if (!row) return null
  const { status, owner_id, follow_up_at, tags } = row
  return {
    status,
    owner_id: owner_id && formatId('user', owner_id),
    follow_up_at: follow_up_at?.toISOString() ?? null,
    tags,
  }
}

/** Adds and removes tags, and changes the rest. @throws Problem 404, 422 `too_many_tags` or `unknown_member`. */
export async function changeLead(
  scope: Scope,
  id: Id<'lead'>,
  {
    add_tags = [],
    remove_tags = [],
    ...input
  }: Pick<z.output<typeof UpdateLead>, 'status' | 'owner_id' | 'follow_up_at'> & {
    add_tags?: string[] | undefined
    remove_tags?: string[] | undefined
  },
): Promise<Presented> {
  return change(scope, id, 'update', async (tx, before, contact) => {
    const tags = [...new Set([...before.tags, ...add_tags])].filter((tag) => !remove_tags.includes(tag))
    if (tags.length > MOST_TAGS)
      throw unprocessable('too_many_tags', [
        { path: 'tags', message: `A lead can have at most ${MOST_TAGS} tags. Remove some first.` },
      ])
    return (await rowOf(scope, tx, before, { ...inputOf(before, contact), ...input, tags }, contact)).row
  })
}

/** The leads of a person. */
export async function listLeadIdsOf(tx: ReadTx, person: Person): Promise<Array<Id<'lead'>>> {
  return (await store.listOfPerson(tx, hashesOfPerson(person), person.responseIds)).map(({ id }) => id)
}

export async function deleteLead(scope: Scope, id: Id<'lead'>): Promise<void> {
  await scope.tx(async (tx) => {
    if ((await store.deleteLead(tx, id)) === 0) throw notFound('lead')
    audited(scope, tx, 'delete', id)
  })
}

/** @throws Problem 409 `too_many_notes`. */
export async function addLeadNote(
  scope: Scope,
  id: Id<'lead'>,
  { text }: z.output<typeof AddLeadNote>,
): Promise<Presented> {
  return change(scope, id, 'add_note', async (_tx, row, contact) => {
    const letters = contact.notes.reduce((sum, note) => sum + note.text.length, text.length)
    if (contact.notes.length >= MOST_NOTES || letters > MOST_LETTERS)
      throw conflict(
        'too_many_notes',
        `A lead can have at most ${MOST_NOTES} notes, of ${MOST_LETTERS.toLocaleString('en')} characters in all.`,
      )
    const written = newNote(scope.principal, text, scope.clock.now())
    return { ...row, contact: sealContact(scope.secrets, id, { ...contact, notes: [...contact.notes, written] }) }
  })
}

/** @throws Problem 403 `not_author`, 404. */
export async function editLeadNote(
  scope: Scope,
  id: Id<'lead'>,
  noteId: Id<'note'>,
  { text }: z.output<typeof AddLeadNote>,
): Promise<Presented> {
  const by = { principal: scope.principal, text, now: scope.clock.now() }
  return change(scope, id, 'update_note', async (_tx, row, contact) => {
    const notes = editedNotes(contact.notes, noteId, by)
    return { ...row, contact: sealContact(scope.secrets, id, { ...contact, notes }) }
  })
}

/** @throws Problem 404. */
export async function deleteLeadNote(scope: Scope, id: Id<'lead'>, noteId: Id<'note'>): Promise<void> {
  await change(scope, id, 'delete_note', async (_tx, row, contact) => {
    const notes = notesWithout(contact.notes, noteId)
    return { ...row, contact: sealContact(scope.secrets, id, { ...contact, notes }) }
  })
}

async function change(
  scope: Scope,
  id: Id<'lead'>,
  verb: string,
  work: (tx: TenantTx, row: LeadRow, contact: Contact) => Promise<LeadRow>,
): Promise<Presented> {
  return scope.tx(async (tx) => {
    const before = await store.lockLead(tx, id)
    if (!before) throw notFound('lead')
    const worked = await work(tx, before, openContact(scope.secrets, id, before.contact))
    const after = { ...worked, updated_at: scope.clock.now() }
    await store.updateLead(tx, after)
    audited(scope, tx, verb, id, { before: present(scope, before), after: present(scope, after) })
    return present(scope, after)
  })
}

function newRow(scope: Scope): LeadRow {
  const now = scope.clock.now()
  return {
    id: newId('lead'),
    status: 'new',
    source: 'manual',
    response_id: null,
    survey_id: null,
    email_hash: null,
    phone_hash: null,
    contact: null,
    consent_given: null,
    consent_at: null,
    owner_id: null,
    follow_up_at: null,
    tags: [],
    created_at: now,
    updated_at: now,
  }
}

function inputOf(row: LeadRow, contact: Contact): Input {
  return {
    status: row.status,
    name: contact.name,
    email: contact.email,
    phone: contact.phone,
    company: contact.company,
    consent:
      row.consent_given === null ? null : { given: row.consent_given, text: contact.consentText, at: row.consent_at },
    owner_id: row.owner_id && formatId('user', row.owner_id),
    follow_up_at: row.follow_up_at,
    tags: row.tags,
  }
}

async function rowOf(
  scope: Scope,
  tx: TenantTx,
  row: LeadRow,
  input: Input,
  { notes }: Contact,
): Promise<{ row: LeadRow; contact: Contact }> {
  const email = input.email === null ? null : parseAddress('email', input.email)
  const phone = input.phone === null ? null : parseAddress('sms', input.phone)
  const issues: Issue[] = []
  if (input.email !== null && email === null)
    issues.push({ path: 'email', message: 'Use an email address, such as ada@example.com.' })
  if (input.phone !== null && phone === null)
    issues.push({ path: 'phone', message: 'Use the international form, such as +4930901820.' })
  if (issues.length > 0) throw unprocessable('invalid_address', issues)
  const kept = row.owner_id === null ? [] : [row.owner_id]
  const members = await requireMembers(tx, input.owner_id === null ? {} : { owner_id: input.owner_id }, kept)
  const hashes = await hashesOf(scope, tx, { email, phone })
  if (await isErased(tx, hashes))
    throw conflict('erased', 'This person was erased. The address cannot be stored again.')
  const contact: Contact = {
    name: input.name,
    email,
    phone,
    company: input.company,
    consentText: input.consent?.text ?? null,
    notes,
  }
  const { consent } = input
  return {
    contact,
    row: {
      ...row,
      status: input.status,
      email_hash: hashes.email,
      phone_hash: hashes.phone,
      contact: sealContact(scope.secrets, row.id, contact),
      consent_given: consent?.given ?? null,
      consent_at: consent ? (consent.at ?? row.consent_at ?? scope.clock.now()) : null,
      owner_id: members.get('owner_id') ?? null,
      follow_up_at: input.follow_up_at,
      tags: [...new Set(input.tags)],
    },
  }
}

function present(scope: Scope, row: LeadRow): Presented {
  return presentLead(scope, row, isUnmasked('leads', heldBy(scope.principal)))
}

/** @param isKeeper whether the reader may see who it is. */
function presentLead(scope: Scope, row: LeadRow, isKeeper: boolean): Presented {
  const opened = openContact(scope.secrets, row.id, row.contact)
  const { name, email, phone, company, consentText, notes } = isKeeper ? opened : masked(opened)
  return leads.show(row, {
    name,
    email,
    phone,
    company,
    consent:
      row.consent_given === null
        ? null
        : { given: row.consent_given, text: consentText, at: row.consent_at?.toISOString() ?? null },
    notes,
  })
}

export interface Hashes {
  email: string | null
  phone: string | null
}

/** The keyed hashes by which a person is known. */
export async function hashesOf(
  scope: Scope,
  tx: TenantTx,
  { email, phone }: { email: string | null; phone: string | null },
): Promise<Hashes> {
  if (email === null && phone === null) return { email: null, phone: null }
  const hashOf = await ensureAddressHash(scope, tx)
  return { email: email && hashOf('email', email), phone: phone && hashOf('sms', phone) }
}

/** Whether an erasure forbids to keep this person again. */
export async function isErased(tx: TenantTx, { email, phone }: Hashes): Promise<boolean> {
  const reasons = [
    email === null ? undefined : (await listSuppressed(tx, 'email', [email])).get(email),
    phone === null ? undefined : (await listSuppressed(tx, 'sms', [phone])).get(phone),
  ]
  return reasons.includes('erasure')
}

/** Leads as exports read them: masked, unless the author of the export keeps leads. */
export const exportedLeads: ExportSource = {
  columns: () => leads.exported,
  select: async (_scope, tx, { filter, snapshotAt }) =>
    store.selectKeys(tx, await compileFilter('leads', filter ?? { all: [] }, { tx, alias: 'l', now: snapshotAt })),
  async read(scope, tx, keys, { shows }, fields) {
    const first = await firstKeys(tx, keys, store.sizesOf(tx, keys))
    const rows = await store.listByIds(
      tx,
      first.map(({ id }) => id),
    )
    const presented = rows.map((row) => presentLead(scope, row, shows.includes('leads.manage')))
    return { rows: linesOf(presented, fields), done: first.length }
  },
}
