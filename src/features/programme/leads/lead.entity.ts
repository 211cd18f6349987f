import { BY_ID, declareEntity, type RowOf } from '../../../platform/fields/entity.ts'
import { boolean, date, idOf, list, oneOf, orNull, text } from '../../../platform/fields/values.ts'
import { LEAD_SOURCES, LEAD_STATUSES } from './leads.schema.ts'

/** Every field of a lead. */
export const leads = declareEntity(
  { table: 'leads', rows: 'go' },
  {
    id: { archived: true, is: idOf('lead'), fixed: true, shown: true, filter: BY_ID },
    status: { archived: true, is: oneOf(LEAD_STATUSES), shown: true, filter: true },
    source: { archived: true, is: oneOf(LEAD_SOURCES), fixed: true, shown: true, filter: true },
    response_id: { is: orNull(idOf('response')), shown: true },
    survey_id: { is: orNull(idOf('survey')), shown: true, filter: true },
    email_hash: { is: orNull(text), personal: 'key' },
    phone_hash: { is: orNull(text), personal: 'key' },
    // Sealed.
    contact: { is: orNull(text), personal: 'words' },
    name: { within: 'contact', shown: 'text' },
    email: { within: 'contact', shown: 'text' },
    phone: { within: 'contact', shown: 'text' },
    company: { within: 'contact', shown: 'text' },
    consent_given: { is: orNull(boolean) },
    consent_at: { is: orNull(date) },
    consent: { within: 'contact', shown: 'json' },
    owner_id: { is: orNull(idOf('user')), shown: true, filter: true },
    follow_up_at: { is: orNull(date), shown: true, filter: true, sort: true },
    tags: { is: list, shown: true, filter: { as: 'tag' }, personal: 'words' },
    notes: { within: 'contact', shown: 'json' },
    created_at: { archived: true, is: date, fixed: true, shown: true, filter: true, sort: true },
    updated_at: { is: date, shown: true },
  },
)

export type LeadRow = RowOf<typeof leads>
