import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApiKey, createMember, createWorkspace, type TestWorkspace } from '../../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../../testing/harness.ts'
import { publishSurvey, submit } from '../../../testing/survey-fixtures.ts'
import { ENTITIES, fieldNames } from '../../../platform/filter/entity.ts'
import { PERMISSIONS } from '../../../platform/permissions.ts'
import { VIEWED } from '../../programme/filter-views/filter-views.schema.ts'
import { LISTS } from '../../../platform/readers.ts'
import { chooseColumns, takenBy, SOURCES } from '../exports/definition/definition.ts'

interface Field {
  field: string
  label: string | null
  type: string
  list: boolean
  refers: string | null
  ops: string[]
  sort: boolean
  column: boolean
  export: boolean
  values: Array<{ value: string; label: string | null }> | null
  suggests: boolean
}

let server: TestServer
let owner: TestWorkspace
let surveyId: string
let key: string
beforeAll(async () => {
  server = await startTestServer()
  owner = await createWorkspace(server)
  surveyId = await publishSurvey(server, owner.token, {
    custom_fields: ['plan', 'who'],
    languages: ['en', 'de'],
    questions: [
      { id: 'q1', type: 'nps', title: { en: 'How likely?', de: 'Wie wahrscheinlich?' } },
      {
        id: 'q2',
        type: 'multi',
        title: { en: 'Why?', de: 'Warum?' },
        choices: [
          { id: 'price', label: { en: 'Price', de: 'Preis' } },
          { id: 'speed', label: { en: 'Speed', de: 'Tempo' } },
        ],
      },
      { id: 'q3', type: 'open_text', title: { en: 'More?', de: 'Mehr?' } },
    ],
  })
  const person = { email: 'ada@example.com', language: 'de', attributes: { tier: 'gold' } }
  await call('POST', '/people', person)
  for (const plan of ['pro', 'pro', 'free'])
    await submit(server, surveyId, { q1: 9, q2: ['price'] }, { custom_data: { plan, who: 'ada@example.com' } })
  key = (await createApiKey(server, owner.token, [...PERMISSIONS])).key
})
afterAll(() => server.close())

const call = (method: string, path: string, body?: unknown, token = owner.token) =>
  server.request(method, `/v1${path}`, { token, body })
const fieldsOf = async (entity: string, more = ''): Promise<Field[]> =>
  (await call('GET', `/fields?entity=${entity}${more}`)).body.data
const project = (path: string) => readFile(new URL(`../../../../${path}`, import.meta.url), 'utf8')
const filtered = (list: string, test: object) =>
  call(
    'GET',
    `/${list.replaceAll('_', '-')}?limit=1&filter=${encodeURIComponent(JSON.stringify({ all: [test] }))}`,
    undefined,
    key,
  )

describe.each(LISTS)('the fields of %s', (entity) => {
  test('are those that filters, orders, views and exports take, and no others', async () => {
    const fields = await fieldsOf(entity, `&survey_id=${surveyId}`)
    const named = (holds: (field: Field) => unknown) => fields.filter(holds).map(({ field }) => field)
    expect(named(() => true)).toEqual([...new Set(named(() => true))])

    const unknown = (await filtered(entity, { field: 'no_such', op: 'eq', value: 1 })).body.issues[0].message as string
    const taken = unknown.replace(/^Use one of these fields: |\.$/g, '').split(', ')
    const families = taken.filter((name) => name.includes('<')).map((name) => name.split('<')[0] ?? '')
    const isTaken = (name: string) => taken.includes(name) || families.some((family) => name.startsWith(family))
    expect(named(({ ops }) => ops.length > 0)).toEqual(
      expect.arrayContaining(taken.filter((name) => !name.includes('<'))),
    )
    for (const { field, ops } of fields) {
      const { message } = (await filtered(entity, { field, op: 'no_such' })).body.issues[0]
      if (ops.length > 0) expect(message).toBe(`For the field ${field.split('.', 1)[0]} use one of ${ops.join(', ')}.`)
      else expect(message).toBe(unknown)
      expect(isTaken(field) && ops.length === 0 && !/\..*\./.test(field), field).toBe(false)
    }

    const list = `/${entity.replaceAll('_', '-')}`
    const orders = (await call('GET', `${list}?sort=no_such`)).body.issues[0].message as string
    for (const name of named(({ sort }) => sort)) {
      expect(orders).toContain(name)
      expect((await call('GET', `${list}?limit=1&sort=-${name}`)).status, name).toBe(200)
    }
    if (entity !== 'verbatim')
      expect(orders.replace(/^Use one of |, or one with - before it\.$/g, '').split(', ')).toEqual(
        expect.arrayContaining(named(({ sort }) => sort)),
      )

    if (VIEWED.some((one) => one === entity)) {
      const columns = (names: string[]) => call('POST', '/filter-views', { name: 'V', entity, columns: names })
      for (let at = 0; at < fields.length; at += 50) {
        const some = fields.slice(at, at + 50)
        const answer = await columns(some.map(({ field }) => field))
        const wrong: string[] = (answer.body.issues ?? []).map(({ path }: { path: string }) => path)
        expect(wrong).toEqual(some.flatMap(({ column }, index) => (column ? [] : [`columns.${index}`])))
      }
    }

    if (SOURCES.some((one) => one === entity)) {
      const hasSurvey = !['people', 'audit'].includes(entity)
      const body = { source: entity, name: 'T', format: 'csv', ...(hasSurvey && { survey_id: surveyId }) }
      const wrong = await call(
        'POST',
        '/export-templates',
        { ...body, columns: fields.map(({ field }) => ({ field })) },
        key,
      )
      const paths: string[] = (wrong.body.issues ?? []).map(({ path }: { path: string }) => path)
      expect(paths).toEqual(fields.flatMap((one, at) => (one.export ? [] : [`columns.${at}.field`])))
    } else expect(named((one) => one.export)).toEqual([])
  })

  test('are named in the words of the console, with their values, unless the workspace named them', async () => {
    const texts = JSON.parse(await project('web/console/list/words/en.json')) as Record<string, string>
    const keys = (await fieldsOf(entity, `&survey_id=${surveyId}`)).flatMap(({ field, label, values }) => [
      ...(label === null ? [`fields.${field}`] : []),
      ...(values ?? []).flatMap((one) => (one.label === null ? [`values.${one.value}`] : [])),
    ])
    expect(keys.length).toBeGreaterThan(3)
    expect(keys.filter((key) => texts[key] === undefined)).toEqual([])
  })

  test.each(['en', 'de', 'es', 'ar'])('have words in the console, as their values have: %s', async (language) => {
    const words = JSON.parse(await project(`web/console/list/words/${language}.json`)) as Record<string, string>
    const fields = await fieldsOf(entity, `&survey_id=${surveyId}`)
    const needed = fields.flatMap(({ field, label, type, values }) => [
      ...(label === null ? [`fields.${field}`] : []),
      ...(type === 'boolean' ? ['values.true', 'values.false'] : []),
      ...(values ?? []).flatMap((one) => (one.label === null ? [`values.${one.value}`] : [])),
    ])
    expect(needed.length).toBeGreaterThan(5)
    expect(needed.filter((key) => !words[key])).toEqual([])
  })
})

test('docs/filters.md names every field that a filter takes, and no other', async () => {
  const page = await project('docs/filters.md')
  const table = page.slice(page.indexOf('| Chooses |'), page.indexOf('`reached` has'))
  const rows = [...table.matchAll(/^\| ([a-z ]+) \| `([^`]+)`/gm)].map(([, name = '', fields = '']) => ({
    entity: name.replace('webhook deliveries', 'webhook_deliveries'),
    fields: [...fields.replaceAll(/<[a-z ]+>/g, '<name>').split(' '), 'id'].toSorted(),
  }))
  expect(rows).toEqual(ENTITIES.map((entity) => ({ entity, fields: fieldNames(entity).toSorted() })))
})

test('a field has the form of its values, and the words of the workspace', async () => {
  const fields = new Map(
    (await fieldsOf('responses', `&survey_id=${surveyId}&language=de`)).map((one) => [one.field, one]),
  )
  expect(fields.get('answer.q1')).toMatchObject({
    label: 'Wie wahrscheinlich?',
    type: 'number',
    list: false,
    suggests: false,
  })
  expect(fields.get('answer.q2')).toMatchObject({
    label: 'Warum?',
    type: 'choice',
    list: true,
    values: [
      { value: 'price', label: 'Preis' },
      { value: 'speed', label: 'Tempo' },
    ],
    suggests: true,
  })
  expect(fields.get('text.q3')).toMatchObject({ label: 'Mehr?', ops: [], column: false, export: true })
  expect(fields.get('custom.plan')).toMatchObject({ label: 'plan', type: 'text', suggests: true })
  expect(fields.get('score')).toMatchObject({ label: null, type: 'number', sort: true, column: true, export: true })
  expect(fields.get('agent_id')).toMatchObject({ type: 'id', refers: 'agent' })
  expect(fields.get('sentiment')).toMatchObject({ type: 'choice' })
  const withoutSurvey = (await fieldsOf('responses')).map(({ field }) => field)
  expect(withoutSurvey).toContain('custom.plan')
  expect(withoutSurvey.filter((name) => name.includes('q1'))).toEqual([])
})

test('fields and values ask for the permission of their list', async () => {
  const viewer = (await createMember(server, owner.token, 'viewer')).token
  const get = (path: string) => call('GET', path, undefined, viewer)
  const refused = (permission: string) => ({ status: 403, body: { code: 'forbidden', permission } })
  for (const path of ['/fields?', '/values?field=status&']) {
    expect(await get(`${path}entity=webhook_deliveries`)).toMatchObject(refused('integrations.manage'))
    expect(await get(`${path}entity=audit`)).toMatchObject(refused('audit.read'))
    expect((await call('GET', `${path}entity=nothing`)).status).toBe(400)
  }
  expect((await get('/fields?entity=people')).text).not.toContain('attribute.')
  expect((await fieldsOf('people')).map(({ field }) => field)).toContain('attribute.tier')
  expect(await get('/values?entity=people&field=language')).toMatchObject(refused('people.manage'))
  expect(await get('/values?entity=leads&field=status')).toMatchObject(refused('leads.manage'))
  const stranger = await createWorkspace(server)
  for (const id of [surveyId, 'srv_nonsense', 'srv_01jwq3v8n8e6h9k2m4p6r8t0va'])
    for (const path of ['/fields?', '/values?field=state&'])
      expect((await call('GET', `${path}entity=responses&survey_id=${id}`, undefined, stranger.token)).status).toBe(404)
})

test('values are those in use, the most frequent first, without addresses', async () => {
  const values = async (query: string) => (await call('GET', `/values?entity=responses&${query}`, undefined, key)).body
  const count = (n: number) => ({ n, exact: true })
  expect(await values('field=custom.plan')).toEqual({
    data: [
      { value: 'pro', label: null, count: count(2) },
      { value: 'free', label: null, count: count(1) },
    ],
    more: false,
  })
  expect(await values('field=custom.plan&limit=1')).toMatchObject({ data: [{ value: 'pro' }], more: true })
  expect(await values('field=custom.plan&prefix=FR')).toMatchObject({ data: [{ value: 'free' }], more: false })
  expect((await values('field=custom.who')).data).toEqual([])
  expect((await values(`field=answer.q2&survey_id=${surveyId}`)).data).toMatchObject([
    { value: 'price', count: count(3) },
  ])
  expect((await values('field=state')).data).toMatchObject([{ value: 'completed', count: count(3) }])
  expect((await call('GET', '/values?entity=people&field=attribute.tier')).body.data).toMatchObject([{ value: 'gold' }])
  for (const field of ['text', 'score', 'custom.none', 'constructor'])
    expect((await call('GET', `/values?entity=responses&field=${field}`)).status, field).toBe(400)
  server.clock.advance(91 * 86_400_000)
  expect((await values('field=state')).data).toEqual([])
})

test('the answers of an anonymous survey propose nothing', async () => {
  const other = await createWorkspace(server)
  const id = await publishSurvey(server, other.token, { privacy: 'anonymous', custom_fields: ['plan'] })
  for (let n = 0; n < 6; n++) await submit(server, id, { q1: 9 }, { custom_data: { plan: 'pro' } })
  for (const field of ['custom.plan', 'state', 'channel'])
    expect((await call('GET', `/values?entity=responses&field=${field}`, undefined, other.token)).body.data).toEqual([])
})

test('values of choices hold no words that somebody typed, and those of texts count rows with a text', async () => {
  const other = await createWorkspace(server)
  const choices = [
    { id: 'price', label: 'Price' },
    { id: 'speed', label: 'Speed' },
  ]
  const id = await publishSurvey(server, other.token, {
    metric: null,
    questions: [
      { id: 'one', type: 'single', title: 'Why?', choices, allow_other: true },
      { id: 'many', type: 'multi', title: 'Why?', choices, allow_other: true },
      { id: 'more', type: 'open_text', title: 'More?' },
    ],
  })
  await submit(server, id, { one: { other: 'My boss Agatha' }, many: ['price', { other: 'Fig' }] })
  await submit(server, id, { one: 'speed', more: 'Fine' })
  await submit(server, id, { one: 'speed' })
  const values = async (entity: string, field: string) => {
    const query = `entity=${entity}&field=${field}&survey_id=${id}`
    const { data } = (await call('GET', `/values?${query}`, undefined, other.token)).body
    return data.map(({ value, count }: { value: string; count: { n: number } }) => [value, count.n])
  }
  expect(await values('responses', 'answer.one')).toEqual([
    ['speed', 2],
    ['other', 1],
  ])
  expect(await values('responses', 'answer.many')).toEqual([
    ['other', 1],
    ['price', 1],
  ])
  expect(await values('verbatim', 'channel')).toEqual([['web', 2]])
})

test('which fields an export takes is worked out with one look at each of its columns', async () => {
  let looks = 0
  const named = (field: string) => ({
    type: 'text' as const,
    get field() {
      looks += 1
      return field
    },
  })
  const fields = ['tags', 'custom.plan', 'answer.q1', 'answer.q2.a', 'answer.q2.b', 'text.q3', 'text.q4.name']
  const columns = fields.map(named)
  const asked = [
    ...fields,
    'tag',
    'topic',
    'answer',
    'answer.q2',
    'text.q4',
    'answer.q',
    'custom.<x>',
    'custom.y',
    'no',
  ]
  const isTaken = takenBy(columns)
  const taken = asked.filter(isTaken)
  expect(looks).toBe(fields.length)
  const chosen = await Promise.all(asked.map((field) => chooseColumns(columns, [{ field }], 'csv')))
  expect(taken).toEqual(asked.filter((_, at) => chosen[at]?.unknown.length === 0))
})

test('a survey of very many choices lists at most 2,000 of them, and each of its questions', async () => {
  const choices = Array.from({ length: 200 }, (_, n) => ({ id: `c${n}`, label: 'A' }))
  const questions = Array.from({ length: 12 }, (_, n) => ({ id: `m${n}`, type: 'multi', title: 'Which?', choices }))
  const { token } = await createWorkspace(server)
  const id = await publishSurvey(server, token, { metric: null, questions })
  const path = `/fields?entity=responses&survey_id=${id}`
  const { status, body } = await call('GET', path, undefined, token)
  expect(status).toBe(200)
  const listed: Field[] = body.data
  expect(listed.length).toBeLessThan(2_200)
  const whole = listed.filter(({ field }) => /^answer\.m\d+$/.test(field))
  expect(whole).toHaveLength(12)
  for (const each of whole) expect(each).toMatchObject({ export: true })
})

test('a thousand columns of a large survey are chosen in one look at each, and end past 20,000', async () => {
  let looks = 0
  const columns = Array.from({ length: 200 }, (_, n) => ({
    type: 'text' as const,
    get field() {
      looks += 1
      return `answer.q1.c${n}`
    },
  }))
  const chosen = Array.from({ length: 1_000 }, () => ({ field: 'answer.q1' }))
  const { columns: all } = await chooseColumns(columns, chosen, 'csv')
  expect(all).toHaveLength(20_001)
  // To know the columns, and then for each that is taken.
  expect(looks).toBeLessThan(3 * all.length + 3 * columns.length)
  looks = 0
  await chooseColumns(
    columns,
    Array.from({ length: 1_000 }, (_, n) => ({ field: `none${n}` })),
    'csv',
  )
  expect(looks).toBeLessThan(3 * columns.length)
})
