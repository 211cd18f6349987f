import { MIB } from '../../../http/bodies/body.ts'
import { parseBody } from '../../../http/bodies/parse-body.ts'
import { tenantRoute, type Route } from '../../../http/routes/route.ts'
import { importPeople } from './import.service.ts'
import { readJsonOrCsv } from '../../../http/bodies/json-or-csv.ts'
import { readPeopleCsv } from './people-csv.ts'
import {
  CreatePerson,
  ImportPeople,
  ImportQuery,
  ImportResult,
  PeopleCsv,
  Person,
  PersonList,
  PersonQuery,
  TimelineList,
  TimelineQuery,
  UpdatePerson,
} from './people.schema.ts'
import {
  createPerson,
  deletePerson,
  exportedPeople,
  getPerson,
  listPeople,
  updatePerson,
  onAccepted,
  onCompleted,
} from './people.service.ts'
import { readTimeline, type TimelineSource } from './timeline.service.ts'
import type { Feature } from '../../../platform/feature.ts'
import { people } from './person.entity.ts'
import { personal } from './personal.service.ts'

const tag = 'People'
const permission = 'people.manage'
const BODY_LIMIT = 10 * MIB
const RULES = { 409: '`ambiguous_person` or `erased`.', 422: 'An address or a time zone is not valid.' }

const createPersonRoute = tenantRoute({
  method: 'post',
  path: '/people',
  operationId: 'createPerson',
  summary: 'Create a person, or update a known one',
  description:
    'The person is found by `external_id`, else by `email`, else by `phone`. If these belong to two people, ' +
    'nothing is changed: 409 `ambiguous_person`. The answer is 201 for a new person, and 200 for a known one.',
  tag,
  permission,
  body: CreatePerson,
  example: { external_id: 'crm-1815', email: 'grace@example.com', name: 'Grace', attributes: { plan: 'pro' } },
  audit: ['person.create'],
  response: { status: 201, schema: Person, also: { status: 200, description: 'The person was known.' } },
  problems: RULES,
  async handler(scope, { body, c }) {
    const { created, person } = await createPerson(scope, body)
    return created ? person : c.json(person, 200)
  },
})

const importPeopleRoute = tenantRoute({
  method: 'post',
  path: '/people/import',
  operationId: 'importPeople',
  summary: 'Import people from JSON or CSV',
  description:
    'At most 20,000 rows and 10 MiB. Send `{rows}` as JSON, or a file as `Content-Type: text/csv`. Rejected ' +
    'rows are reported by position. All others are stored together.',
  tag,
  permission,
  bodyLimit: BODY_LIMIT,
  query: ImportQuery,
  headers: ['content-type'],
  rawBody: { 'application/json': ImportPeople, 'text/csv': PeopleCsv },
  audit: ['person.import'],
  response: { status: 200, schema: ImportResult },
  problems: { 400: 'The body is neither {rows} nor a CSV with known columns.', 415: 'Send JSON or text/csv.' },
  async handler(scope, { query: { dry_run = false }, c }) {
    const read = await readJsonOrCsv(c, BODY_LIMIT, ImportPeople, readPeopleCsv)
    if (!('rejected' in read)) return importPeople(scope, { ...read, dry_run: read.dry_run || dry_run })
    return importPeople(scope, await parseBody(ImportPeople, { rows: read.rows, dry_run }), read.rejected)
  },
})

const listPeopleRoute = tenantRoute({
  method: 'get',
  path: '/people',
  operationId: 'listPeople',
  summary: 'List people, newest first',
  description:
    'For callers without `people.manage`, names and addresses are masked, in external ids too, and ' +
    'attributes are left out. Then `search` and filters by `external_id` and `attribute.*` are 403.',
  tag,
  query: PersonQuery,
  audit: ['person.list'],
  response: { status: 200, schema: PersonList },
  handler: (scope, { query }) => listPeople(scope, query),
})

const getPersonRoute = tenantRoute({
  method: 'get',
  path: '/people/:id',
  operationId: 'getPerson',
  summary: 'Read a person',
  description: 'For callers without `people.manage`, name and addresses are masked, and attributes are left out.',
  tag,
  params: { id: 'person' },
  audit: ['person.read'],
  response: { status: 200, schema: Person },
  handler: (scope, { params: { id } }) => getPerson(scope, id),
})

const updatePersonRoute = tenantRoute({
  method: 'patch',
  path: '/people/:id',
  operationId: 'updatePerson',
  summary: 'Change a person',
  tag,
  permission,
  params: { id: 'person' },
  body: UpdatePerson,
  example: { language: 'de', attributes: { plan: null } },
  audit: ['person.update'],
  response: { status: 200, schema: Person },
  problems: RULES,
  handler: (scope, { params: { id }, body }) => updatePerson(scope, id, body),
})

const deletePersonRoute = tenantRoute({
  method: 'delete',
  path: '/people/:id',
  operationId: 'deletePerson',
  summary: 'Delete the record of a person',
  description:
    'Messages and responses stay, and no longer lead to the person. To erase those too, use `POST /v1/gdpr/requests`.',
  tag,
  permission,
  params: { id: 'person' },
  audit: ['person.delete'],
  response: { status: 204 },
  handler: (scope, { params: { id } }) => deletePerson(scope, id),
})

function createTimelineRoute(sources: TimelineSource[]) {
  return tenantRoute({
    method: 'get',
    path: '/people/:id/timeline',
    operationId: 'readPersonTimeline',
    summary: 'List what happened to a person, newest first',
    tag,
    params: { id: 'person' },
    query: TimelineQuery,
    response: { status: 200, schema: TimelineList },
    handler: (scope, { params: { id }, query }) => readTimeline(scope, id, query, sources),
  })
}

/** @param timeline what features of lower districts know of a person. */
export function createPeople(timeline: TimelineSource[]): Feature<Route> {
  return {
    name: 'people',
    routes: [
      createPersonRoute,
      deletePersonRoute,
      getPersonRoute,
      importPeopleRoute,
      listPeopleRoute,
      updatePersonRoute,
      createTimelineRoute(timeline),
    ],
    listeners: [onAccepted, onCompleted],
    entities: { people },
    parts: {
      lists: {
        people: {
          members: Object.keys(Person.shape),
          moment: 'created_at',
          suggests: ['language'],
          exported: exportedPeople,
        },
      },
    },
    personal,
  }
}
