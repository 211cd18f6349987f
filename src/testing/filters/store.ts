import type { TestServer } from '../harness.ts'
import type { MadePerson } from './people-rows.ts'
import { NOW, SEGMENTS, TEAMS, uuidOf, type MadeResponse } from './rows.ts'

/** Writes rows of one table as they are. */
export async function insertRows(
  server: TestServer,
  table: string,
  tenantId: string,
  rows: Array<Record<string, unknown>>,
): Promise<void> {
  const [first] = rows
  if (!first) return
  const columns = ['tenant_id', ...Object.keys(first)].join(', ')
  const text = `insert into ${table} (${columns}) select ${columns} from jsonb_populate_recordset(null::${table}, $1::jsonb)`
  const values = [JSON.stringify(rows.map((row) => ({ tenant_id: tenantId, ...row })))]
  await server.services.database.asOwner((owner) => owner.query(text, values))
}

/** Writes teams, segments and what is known of texts. */
export async function insertAround(server: TestServer, tenantId: string, responses: MadeResponse[]): Promise<void> {
  const insert = (table: string, rows: Array<Record<string, unknown>>) => insertRows(server, table, tenantId, rows)
  const moments = { created_at: NOW, updated_at: NOW }
  await insert(
    'agents',
    TEAMS.map((team, n) => ({ id: uuidOf('agent', n), name: 'A', team, active: true, ...moments })),
  )
  await insert(
    'segments',
    SEGMENTS.map((filter, n) => ({ id: uuidOf('segment', n), name: 'S', description: '', filter, ...moments })),
  )
  const texts = responses.flatMap((response) => response.texts)
  const keyOf = ({ response, question }: (typeof texts)[number]) => ({
    response_id: uuidOf('response', response),
    question_id: question,
  })
  await insert(
    'verbatims',
    texts.map((text) => ({
      ...keyOf(text),
      survey_id: uuidOf('survey', 0),
      completed_at: NOW,
      language: 'en',
      language_source: 'rules',
      sentiment: text.feeling.label,
      sentiment_score: text.feeling.score,
      sentiment_source: 'rules',
      topics_by_person: false,
      classified_at: NOW,
    })),
  )
  await insert(
    'verbatim_topics',
    texts.flatMap((text) =>
      text.topics.map((topic) => ({
        ...keyOf(text),
        topic_id: uuidOf('topic', topic),
        confidence: 0.6,
        source: 'rules',
      })),
    ),
  )
  await insert(
    'verbatim_words',
    texts.flatMap((text) =>
      [...new Set(text.text.toLowerCase().match(/[a-z]+/g))].map((word) => ({ ...keyOf(text), word })),
    ),
  )
}

/** Writes what other tables know of people: invitations, responses and addresses that get nothing. */
export async function insertAroundPeople(server: TestServer, tenantId: string, people: MadePerson[]): Promise<void> {
  const insert = (table: string, rows: Array<Record<string, unknown>>) => insertRows(server, table, tenantId, rows)
  await insert(
    'suppressions',
    people.flatMap(({ suppressed }, n) =>
      suppressed.map(({ channel, hash }, at) => ({
        id: uuidOf('suppression', n * 3 + at),
        channel,
        address_hash: hash,
        masked: 'x',
        reason: 'manual',
        strength: 0,
        source: 'test',
        created_at: NOW,
        updated_at: NOW,
      })),
    ),
  )
  const invitations = people.flatMap((person, n) => person.invitations.map((each) => ({ n, ...each })))
  await insert(
    'sends',
    invitations.map(({ n, at, survey, counts }, nr) => ({
      id: uuidOf('send', nr),
      invitation_id: uuidOf('invitation', 0),
      survey_id: uuidOf('survey', survey),
      channel: 'email',
      // Neither a reminder invites, nor a message that nobody has sent.
      reminder: counts || nr % 2 === 0 ? 0 : 1,
      first_send_id: uuidOf('send', nr),
      status: counts || nr % 2 === 1 ? 'accepted' : 'queued',
      address_hash: 'x',
      masked: 'x',
      person_id: uuidOf('person', n),
      attempts: 1,
      created_at: at,
      accepted_at: counts || nr % 2 === 1 ? at : null,
    })),
  )
  const responses = people.flatMap((person, n) => person.responses.map((each) => ({ n, ...each })))
  await insert(
    'responses',
    responses.map(({ n, at, survey, counts }, nr) => ({
      id: uuidOf('response', nr),
      survey_id: uuidOf('survey', survey),
      survey_version: 1,
      state: counts ? 'completed' : 'deleted',
      channel: 'email',
      language: 'en',
      answers: [],
      text: [],
      custom_data: {},
      path: [],
      started_at: at,
      completed_at: at,
      tags: [],
      notes: [],
      quality_flags: [],
      quotas: [],
      updated_at: at,
      person_id: uuidOf('person', n),
    })),
  )
}
