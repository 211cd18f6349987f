import type { TenantTx } from '../../../platform/database/database.ts'
import { newId } from '../../../platform/ids.ts'
import type { Scope } from '../../../platform/scope.ts'
import { listenTo, type Listener } from '../../../platform/work/listeners.ts'
import { COMPLETED } from '../../answers/responses/completion.service.ts'
import type { ResponseRow } from '../../answers/rows/response.entity.ts'
import { readDefinition } from '../../surveys/surveys/published-surveys.service.ts'
import { addressesIn, openContact, sealContact, type Contact } from './contact.ts'
import { stageCreated } from './lead-events.service.ts'
import { hashesOf, isErased, type Hashes } from './leads.service.ts'
import { leadIn, type Caught } from './lead-in-response.ts'
import type { LeadRow } from './lead.entity.ts'
import * as store from './leads.store.ts'

/** Makes or refreshes a lead in the transaction that completes a response. */
export const onCompleted: Listener = listenTo(COMPLETED, async (scope, tx) => ({
  async handle(response: ResponseRow) {
    const definition = await readDefinition(scope, tx, response.survey_id, response.survey_version)
    const caught = definition.lead_capture && leadIn(definition, definition.lead_capture, response)
    if (caught) await keep(scope, tx, response, caught)
  },
}))

async function keep(scope: Scope, tx: TenantTx, response: ResponseRow, caught: Caught): Promise<void> {
  const { email, phone } = addressesIn(caught.fields)
  const hashes = await hashesOf(scope, tx, { email, phone })
  // Without an address nobody can be called back, and an erased person stays erased.
  if ((email === null && phone === null) || (await isErased(tx, hashes))) return
  const contact: Contact = {
    name: caught.fields['name'] ?? null,
    email,
    phone,
    company: caught.fields['company'] ?? null,
    consentText: caught.consentText,
    notes: [],
  }
  const known = await findKnown(tx, hashes)
  if (known) return refresh(scope, tx, known, { response, caught, contact, hashes })
  const row = rowOf(scope, response, caught, contact, hashes)
  if ((await store.insertLead(tx, row)) === 1)
    return stageCreated(scope, tx, row, { questionId: caught.questionId, contact })
  // Another response made it at this moment.
  const made = await findKnown(tx, hashes)
  if (made) await refresh(scope, tx, made, { response, caught, contact, hashes })
}

interface Known {
  lead: LeadRow
  /** Whether another lead has the phone. */
  isPhoneTaken: boolean
}

async function findKnown(tx: TenantTx, { email, phone }: Hashes): Promise<Known | null> {
  const rows = await store.lockByContact(tx, email, phone)
  const lead = rows.find(({ email_hash }) => email_hash !== null && email_hash === email) ?? rows[0]
  if (!lead) return null
  return { lead, isPhoneTaken: rows.some((row) => row !== lead && row.phone_hash === phone) }
}

interface News {
  response: ResponseRow
  caught: Caught
  contact: Contact
  hashes: Hashes
}

async function refresh(scope: Scope, tx: TenantTx, { lead, isPhoneTaken }: Known, news: News): Promise<void> {
  const { response, caught, contact, hashes } = news
  const before = openContact(scope.secrets, lead.id, lead.contact)
  const isOtherEmail = lead.email_hash !== null && hashes.email !== null && lead.email_hash !== hashes.email
  const after: Contact = {
    name: contact.name ?? before.name,
    email: isOtherEmail ? before.email : (contact.email ?? before.email),
    phone: isPhoneTaken ? before.phone : (contact.phone ?? before.phone),
    company: contact.company ?? before.company,
    consentText: caught.consentText ?? before.consentText,
    notes: before.notes,
  }
  await store.updateLead(tx, {
    ...lead,
    response_id: response.id,
    survey_id: response.survey_id,
    email_hash: isOtherEmail ? lead.email_hash : (hashes.email ?? lead.email_hash),
    phone_hash: isPhoneTaken ? lead.phone_hash : (hashes.phone ?? lead.phone_hash),
    contact: sealContact(scope.secrets, lead.id, after),
    consent_given: caught.hasConsented ? true : lead.consent_given,
    consent_at: caught.hasConsented ? scope.clock.now() : lead.consent_at,
    updated_at: scope.clock.now(),
  })
}

function rowOf(scope: Scope, response: ResponseRow, caught: Caught, contact: Contact, hashes: Hashes): LeadRow {
  const now = scope.clock.now()
  const id = newId('lead')
  return {
    id,
    status: 'new',
    source: 'response',
    response_id: response.id,
    survey_id: response.survey_id,
    email_hash: hashes.email,
    phone_hash: hashes.phone,
    contact: sealContact(scope.secrets, id, contact),
    consent_given: caught.hasConsented ? true : null,
    consent_at: caught.hasConsented ? now : null,
    owner_id: null,
    follow_up_at: null,
    tags: [],
    created_at: now,
    updated_at: now,
  }
}
