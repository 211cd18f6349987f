import { tenantRoute } from '../../../http/routes/route.ts'
import { AddLeadNote, CreateLead, Lead, LeadList, LeadQuery, UpdateLead } from './leads.schema.ts'
import {
  addLeadNote,
  deleteLeadNote,
  editLeadNote,
  createLead,
  deleteLead,
  getLead,
  listLeads,
  updateLead,
} from './leads.service.ts'

const tag = 'Leads'
const permission = 'leads.manage'
const params = { id: 'lead' } as const

export const listLeadsRoute = tenantRoute({
  method: 'get',
  path: '/leads',
  operationId: 'listLeads',
  summary: 'List leads, newest first',
  description:
    'For callers without `leads.manage`, names and addresses are masked. Company, the words of the consent and notes are ' +
    'left out.',
  tag,
  query: LeadQuery,
  response: { status: 200, schema: LeadList },
  handler: (scope, { query }) => listLeads(scope, query),
})

export const createLeadRoute = tenantRoute({
  method: 'post',
  path: '/leads',
  operationId: 'createLead',
  summary: 'Create a lead',
  description:
    'An email or phone belongs to one lead. If the lead is known, the answer is 200, and the lead stays as it is.',
  tag,
  permission,
  body: CreateLead,
  example: { name: 'Ada Lovelace', email: 'ada@example.com', company: 'Analytical Engines', tags: ['fair'] },
  audit: ['lead.create'],
  response: { status: 201, schema: Lead, also: { status: 200, description: 'The lead that has this email or phone.' } },
  problems: {
    409: '`erased`.',
    422: '`invalid_address`, `no_contact` or `unknown_member`.',
  },
  handler: async (scope, { body, c }) => {
    const { lead, isNew } = await createLead(scope, body)
    return isNew ? lead : c.json(lead, 200)
  },
})

export const getLeadRoute = tenantRoute({
  method: 'get',
  path: '/leads/:id',
  operationId: 'getLead',
  summary: 'Read a lead',
  tag,
  params,
  response: { status: 200, schema: Lead },
  handler: (scope, { params: { id } }) => getLead(scope, id),
})

export const updateLeadRoute = tenantRoute({
  method: 'patch',
  path: '/leads/:id',
  operationId: 'updateLead',
  summary: 'Change a lead',
  description: 'Any status may follow any other.',
  tag,
  permission,
  params,
  body: UpdateLead,
  example: { status: 'contacted', follow_up_at: '2026-12-01T09:00:00Z' },
  audit: ['lead.update'],
  response: { status: 200, schema: Lead },
  problems: { 409: '`known_contact` or `erased`.', 422: '`invalid_address` or `unknown_member`.' },
  handler: (scope, { params: { id }, body }) => updateLead(scope, id, body),
})

export const deleteLeadRoute = tenantRoute({
  method: 'delete',
  path: '/leads/:id',
  operationId: 'deleteLead',
  summary: 'Delete a lead',
  tag,
  permission,
  params,
  audit: ['lead.delete'],
  response: { status: 204 },
  handler: async (scope, { params: { id }, c }) => {
    await deleteLead(scope, id)
    return c.body(null, 204)
  },
})

export const addLeadNoteRoute = tenantRoute({
  method: 'post',
  path: '/leads/:id/notes',
  operationId: 'addLeadNote',
  summary: 'Add a note to a lead',
  tag,
  permission,
  params,
  body: AddLeadNote,
  example: { text: 'Wants an offer for 40 seats.' },
  audit: ['lead.add_note'],
  response: { status: 201, schema: Lead },
  problems: { 409: '`too_many_notes`.' },
  handler: (scope, { params: { id }, body }) => addLeadNote(scope, id, body),
})

const noteParams = { id: 'lead', nid: 'note' } as const

export const updateLeadNoteRoute = tenantRoute({
  method: 'patch',
  path: '/leads/:id/notes/:nid',
  operationId: 'updateLeadNote',
  summary: 'Change your own note',
  tag,
  permission,
  params: noteParams,
  body: AddLeadNote,
  example: { text: 'Wants an offer for 60 seats.' },
  audit: ['lead.update_note'],
  response: { status: 200, schema: Lead },
  problems: { 403: '`not_author`: somebody else wrote it.' },
  handler: (scope, { params: { id, nid }, body }) => editLeadNote(scope, id, nid, body),
})

export const deleteLeadNoteRoute = tenantRoute({
  method: 'delete',
  path: '/leads/:id/notes/:nid',
  operationId: 'deleteLeadNote',
  summary: 'Delete a note',
  tag,
  permission,
  params: noteParams,
  audit: ['lead.delete_note'],
  response: { status: 204 },
  handler: (scope, { params: { id, nid } }) => deleteLeadNote(scope, id, nid),
})
