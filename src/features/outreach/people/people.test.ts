import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createApiKey, createWorkspace, type TestWorkspace } from '../../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../../testing/harness.ts'

let server: TestServer
let owner: TestWorkspace
beforeAll(async () => {
  server = await startTestServer()
})
beforeEach(async () => {
  owner = await createWorkspace(server)
})
afterAll(() => server.close())

const call = (method: string, path: string, body?: unknown, token = owner.token) =>
  server.request(method, `/v1/people${path}`, { token, body })
const list = async (query: Record<string, unknown>, token = owner.token) => {
  const params = Object.entries(query).map(([name, value]): [string, string] => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ])
  return call('GET', `?${new URLSearchParams(params)}`, undefined, token)
}
const grace = { external_id: 'crm-1', email: 'Grace@Example.com', name: 'Grace', attributes: { plan: 'pro', seats: 3 } }

test('a person is created once, and updated by external id, else email, else phone', async () => {
  const created = await call('POST', '', { ...grace, phone: '+49 30 901820' })
  expect(created.status, created.text).toBe(201)
  expect(created.body).toMatchObject({
    id: expect.stringMatching(/^per_/),
    external_id: 'crm-1',
    email: 'grace@example.com',
    phone: '+4930901820',
    name: 'Grace',
    language: null,
    timezone: null,
    attributes: { plan: 'pro', seats: 3 },
    last_invited_at: null,
    last_responded_at: null,
    last_score: null,
    suppressed: [],
  })
  const { id } = created.body
  const byId = await call('POST', '', { external_id: 'crm-1', email: 'grace@new.example', language: 'de' })
  expect([byId.status, byId.body.id, byId.body.email]).toEqual([200, id, 'grace@new.example'])
  const byEmail = await call('POST', '', { email: 'grace@new.example', attributes: { plan: null, city: 'Bonn' } })
  expect([byEmail.status, byEmail.body.id]).toEqual([200, id])
  expect(byEmail.body).toMatchObject({ attributes: { seats: 3, city: 'Bonn' }, language: 'de', external_id: 'crm-1' })
  expect(byEmail.body.attributes).not.toHaveProperty('plan')
  const byPhone = await call('POST', '', { phone: '+4930901820', timezone: 'Europe/Berlin' })
  expect([byPhone.status, byPhone.body.id, byPhone.body.timezone]).toEqual([200, id, 'Europe/Berlin'])
  expect((await call('POST', '', { email: 'grace@example.com' })).status).toBe(201)
})

test('a language may be written with a low line, as programs do, and is stored as a tag', async () => {
  const { body } = await call('POST', '', { external_id: 'a', language: 'de_DE' })
  expect(body.language).toBe('de-DE')
  expect((await call('PATCH', `/${body.id}`, { language: 'zh_Hant_TW' })).body.language).toBe('zh-Hant-TW')
  expect((await call('POST', '', { external_id: 'a', language: '_DE' })).status).toBe(400)
  const headers = { 'content-type': 'text/csv' }
  const csv = 'external_id,language\na,pt_BR\n'
  const files: Array<[string, object]> = [
    [csv, headers],
    [JSON.stringify({ rows: [{ external_id: 'a', language: 'pt_BR' }] }), { 'content-type': 'application/json' }],
  ]
  for (const [text, type] of files) {
    await call('PATCH', `/${body.id}`, { language: null })
    const given = { token: owner.token, body: Buffer.from(text), headers: type as Record<string, string> }
    expect((await server.request('POST', '/v1/people/import', given)).body).toMatchObject({ updated: 1, rejected: [] })
    expect((await call('GET', `/${body.id}`)).body.language).toBe('pt-BR')
  }
})

test('identifiers of two people change neither', async () => {
  await call('POST', '', { external_id: 'a', email: 'ada@example.com' })
  await call('POST', '', { external_id: 'b', phone: '+4930901820' })
  for (const body of [
    { external_id: 'b', email: 'ada@example.com' },
    { email: 'ada@example.com', phone: '+4930901820' },
    { external_id: 'c', email: 'ada@example.com' },
  ])
    expect(await call('POST', '', body)).toMatchObject({ status: 409, body: { code: 'ambiguous_person' } })
  const other = await call('POST', '', { external_id: 'd' })
  expect(await call('PATCH', `/${other.body.id}`, { email: 'ada@example.com' })).toMatchObject({
    status: 409,
    body: { code: 'ambiguous_person' },
  })
  expect((await list({ search: 'ada@example.com' })).body.data).toMatchObject([{ external_id: 'a' }])
})

test.each([
  [{}, 400, 'invalid_request'],
  [{ name: 'Nobody' }, 400, 'invalid_request'],
  [{ email: 'nobody' }, 422, 'invalid_address'],
  [{ phone: '030 901820' }, 422, 'invalid_address'],
  [{ external_id: 'x', timezone: 'Berlin' }, 422, 'invalid_timezone'],
  [{ external_id: 'x', language: 'German!' }, 400, 'invalid_request'],
  [{ external_id: 'x', attributes: { 'a b': 1 } }, 400, 'invalid_request'],
  [{ external_id: 'x', attributes: { a: [] } }, 400, 'invalid_request'],
  [
    { external_id: 'x', attributes: Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`a${n}`, n])) },
    422,
    'too_many_attributes',
  ],
])('%j is no person', async (body, status, code) => {
  expect(await call('POST', '', body)).toMatchObject({ status, body: { code } })
})

test('members without people.manage read masked names and addresses, and others leave an entry', async () => {
  const { body } = await call('POST', '', { ...grace, phone: '+4930901820' })
  const { key } = await createApiKey(server, owner.token, ['surveys.manage'])
  const masked = { email: 'g***@example.com', phone: '+49*****20', name: 'G***', external_id: 'crm-1' }
  expect((await call('GET', `/${body.id}`, undefined, key)).body).toMatchObject(masked)
  expect((await list({}, key)).body.data).toMatchObject([masked])
  expect((await call('GET', `/${body.id}`)).body).toMatchObject({ email: 'grace@example.com', name: 'Grace' })
  expect((await list({})).body.data).toMatchObject([{ email: 'grace@example.com' }])
  const reads = async (action: string) =>
    (await server.request('GET', `/v1/audit?action=${action}`, { token: owner.token })).body.data
  expect(await reads('person.read')).toMatchObject([{ target: { type: 'person', id: body.id } }])
  expect(await reads('person.list')).toMatchObject([{ changes: [{ path: 'people', to: 1 }] }])
  expect((await call('DELETE', `/${body.id}`, undefined, key)).body).toMatchObject({ permission: 'people.manage' })
})

test('no table holds a name or an address in the clear', async () => {
  await call('POST', '', { email: 'secret.person@example.com', phone: '+4930901820', name: 'Secret Person' })
  const [row] = await server.peek<Record<string, unknown>>('select * from people order by id desc limit 1')
  expect(JSON.stringify(row)).not.toMatch(/secret\.person|Secret Person|4930901820/)
})

test('people are found by filter, and by an exact address or external id', async () => {
  const names = async (query: Record<string, unknown>) =>
    (await list(query)).body.data.map((row: { external_id: string }) => row.external_id)
  await call('POST', '', { ...grace, phone: '+4930901820' })
  await call('POST', '', { external_id: 'crm-2', attributes: { plan: 'free' }, language: 'de' })
  expect(await names({})).toEqual(['crm-2', 'crm-1'])
  expect(await names({ search: 'GRACE@example.com' })).toEqual(['crm-1'])
  expect(await names({ search: '+49 30 901820' })).toEqual(['crm-1'])
  expect(await names({ search: 'crm-2' })).toEqual(['crm-2'])
  expect(await names({ search: 'crm' })).toEqual([])
  expect(await names({ filter: { all: [{ field: 'attribute.plan', op: 'eq', value: 'pro' }] } })).toEqual(['crm-1'])
  expect(await names({ filter: { not: { field: 'phone', op: 'is_set' } } })).toEqual(['crm-2'])
  expect((await list({ filter: { all: [{ field: 'email', op: 'eq', value: 'x' }] } })).status).toBe(400)
  await server.request('POST', '/v1/suppression', {
    token: owner.token,
    body: { channel: 'sms', address: '+4930901820' },
  })
  expect((await list({ search: 'crm-1' })).body.data).toMatchObject([{ suppressed: ['sms'] }])
  expect(await names({ filter: { all: [{ field: 'suppressed', op: 'eq', value: 'sms' }] } })).toEqual(['crm-1'])
  expect(await names({ filter: { all: [{ field: 'suppressed', op: 'eq', value: false }] } })).toEqual(['crm-2'])
})

test('a change sets and removes single members, and a deleted person is gone', async () => {
  const { body } = await call('POST', '', grace)
  const changed = await call('PATCH', `/${body.id}`, {
    email: null,
    name: 'Grace\r\nHopper',
    attributes: { plan: null },
  })
  expect(changed).toMatchObject({
    status: 200,
    body: { email: null, name: 'Grace Hopper', external_id: 'crm-1', attributes: { seats: 3 } },
  })
  expect((await list({ search: 'grace@example.com' })).body.data).toEqual([])
  // Nobody would find a person without any.
  const none = await call('PATCH', `/${body.id}`, { external_id: null, phone: null })
  expect(none).toMatchObject({ status: 422, body: { issues: [{ path: 'external_id' }] } })
  expect((await call('DELETE', `/${body.id}`)).status).toBe(204)
  expect((await call('GET', `/${body.id}`)).status).toBe(404)
  expect((await call('GET', `/${body.id}/timeline`)).status).toBe(404)
})

describe('import', () => {
  const csv = (body: string) =>
    server.request('POST', '/v1/people/import', { token: owner.token, body, headers: { 'content-type': 'text/csv' } })

  test('stores every acceptable row, and names the others', async () => {
    await call('POST', '', { external_id: 'a', email: 'a@example.com' })
    await call('POST', '', { external_id: 'b', email: 'b@example.com' })
    const answer = await call('POST', '/import', {
      rows: [
        { external_id: 'a', name: 'Ada', attributes: { plan: 'pro' } },
        { email: 'new@example.com' },
        { external_id: 'a', email: 'b@example.com' },
        { email: 'nobody' },
        { name: 'Nobody' },
        { email: 'NEW@example.com', name: 'Newton' },
        { external_id: 'c', timezone: 'Mars' },
        { external_id: 'c', language: '?' },
      ],
    })
    expect(answer).toMatchObject({
      status: 200,
      body: {
        created: 1,
        updated: 2,
        rejected: [
          { index: 2, reason: 'ambiguous_person' },
          { index: 3, reason: 'invalid_address' },
          { index: 4, reason: 'no_identifier' },
          { index: 6, reason: 'invalid_timezone' },
          { index: 7, reason: 'invalid_language' },
        ],
      },
    })
    expect((await list({ search: 'new@example.com' })).body.data).toMatchObject([{ name: 'Newton' }])
    expect((await list({ search: 'a' })).body.data).toMatchObject([{ attributes: { plan: 'pro' } }])
  })

  test('refuses a CSV of a charset that it does not read', async () => {
    const body = Buffer.from('email,name\na@example.com,Wa\xb3\xeasa', 'latin1')
    for (const path of ['/v1/people/import', '/v1/suppression/import']) {
      const headers = { 'content-type': 'text/csv; charset=windows-1250' }
      const refused = await server.request('POST', path, { token: owner.token, body, headers })
      expect([refused.status, refused.body.issues?.[0].message]).toEqual([
        400,
        expect.stringMatching(/declared charset .*Save it as CSV UTF-8/),
      ])
    }
  })

  test('lets an address move to another row of the same file', async () => {
    await call('POST', '', { external_id: 'a', email: 'a@example.com' })
    await call('POST', '', { external_id: 'b', email: 'b@example.com' })
    const answer = await call('POST', '/import', {
      rows: [
        { external_id: 'a', email: 'c@example.com' },
        { external_id: 'b', email: 'a@example.com' },
        { email: 'b@example.com' },
      ],
    })
    expect(answer.body).toEqual({ created: 1, updated: 2, rejected: [] })
    expect((await list({ search: 'a@example.com' })).body.data).toMatchObject([{ external_id: 'b' }])
  })

  test('reads CSV with attributes', async () => {
    const answer = await csv('external_id;Email;attribute.plan\ncrm-9;grace@example.com;pro\n;;free\n')
    expect(answer).toMatchObject({
      status: 200,
      body: { created: 1, updated: 0, rejected: [{ index: 1, reason: 'no_identifier' }] },
    })
    expect((await list({ search: 'crm-9' })).body.data).toMatchObject([{ attributes: { plan: 'pro' } }])
    expect((await csv('email,age\na@example.com,3\n')).status).toBe(400)
    expect((await csv('name\nGrace\n')).status).toBe(400)
    for (const type of ['text/plain', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet']) {
      const wrong = { token: owner.token, body: 'email\n', headers: { 'content-type': type } }
      const refused = await server.request('POST', '/v1/people/import', wrong)
      expect(refused).toMatchObject({ status: 415, body: { detail: expect.stringContaining('as CSV UTF-8') } })
    }
  })

  test('names a column that cannot be an attribute, and says what a name may be', async () => {
    const detail = { message: expect.stringMatching(/^The name `Zqx score` is not valid\. Use .*0–9, _/) }
    const refused = { status: 400, body: { issues: [{ path: 'rows.0.attributes', ...detail }] } }
    const rows = [{ external_id: 'z1', attributes: { 'Zqx score': 1 } }]
    expect(await call('POST', '/import', { rows })).toMatchObject(refused)
    expect(await csv('external_id,attribute.Zqx score\nz1,1\n')).toMatchObject(refused)
  })

  test('takes a masked value for no value, in any form of the import and in a change', async () => {
    const rows = [
      { external_id: 'm1', email: 'a***@example.com' },
      { external_id: 'm2', phone: '+49*****20' },
      { external_id: 'm3', name: 'G***' },
      { external_id: 'm4', email: ' 😀***@bücher.example' },
      { external_id: 'm5', email: 'a**@example.com', name: 'Grace ***' },
    ]
    const masked = [0, 1, 2, 3].map((index) => ({ index, reason: 'masked' }))
    expect((await call('POST', '/import', { rows })).body).toEqual({ created: 1, updated: 0, rejected: masked })
    const lines = rows.map(({ external_id, email, phone, name }) => [external_id, email, phone, name].join(','))
    const answer = await csv(['external_id,email,phone,name', ...lines].join('\n'))
    expect(answer.body).toEqual({ created: 0, updated: 1, rejected: masked })
    const { body } = await call('POST', '', { external_id: 'm6', name: 'Grace' })
    for (const wrong of [{ name: 'G***' }, { email: 'g***@example.com' }, { phone: '+49*****20' }]) {
      const refused = { status: 422, body: { code: 'masked', issues: [{ path: Object.keys(wrong)[0] }] } }
      expect(await call('PATCH', `/${body.id}`, wrong)).toMatchObject(refused)
      expect(await call('POST', '', { external_id: 'm7', ...wrong })).toMatchObject(refused)
    }
  })

  test('reads the columns of an export, and refuses those that no export has', async () => {
    const head =
      'id,external_id,email,phone,name,language,timezone,attributes,created_at,updated_at,last_invited_at,' +
      'last_responded_at,last_score,last_band,invited,responded,suppressed'
    const cells = (attributes: string) =>
      `per_1,x1,,'+4930901820,'=Grace,de,,"${attributes.replaceAll('"', '""')}",2026-01-01T00:00:00.000Z,,,,-1,passive,true,false,email; sms`
    const given = { plan: "'pro", seats: 12, vip: true }
    const answer = await csv(`${head}\n${cells(JSON.stringify(given))}\n`)
    expect(answer.body).toEqual({ created: 1, updated: 0, rejected: [] })
    expect((await list({ search: 'x1' })).body.data).toMatchObject([
      { phone: '+4930901820', name: '=Grace', language: 'de', attributes: given, last_score: null, suppressed: [] },
    ])
    const wrong = ['{', '[1]', '{"a":{}}', '{"a":[1]}', '{"a b":1}', '{"a":"\\u0000"}', '{"a":"\\ud800"}', '1', '"a"']
    const many = JSON.stringify(Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`a${n}`, n])))
    const long = `{"a":"${'x'.repeat(1_001)}"}`
    const rejected = [...wrong, long].map((_, index) => ({ index, reason: 'invalid_attributes' }))
    expect((await csv(`${head}\n${[...wrong, long, many].map(cells).join('\n')}\n`)).body.rejected).toEqual([
      ...rejected,
      { index: rejected.length, reason: 'too_many_attributes' },
    ])
    // A cell has no type. The column of all attributes keeps it, unless the value was changed.
    await csv('external_id,attributes,attribute.seats,attribute.vip\nx2,"{""seats"":12,""vip"":true}",12,no\n')
    expect((await list({ search: 'x2' })).body.data).toMatchObject([{ attributes: { seats: 12, vip: 'no' } }])
    for (const unknown of ['tags', 'last_seen', 'segment_id'])
      expect((await csv(`external_id,${unknown}\nx3,1\n`)).status, unknown).toBe(400)
    expect((await call('POST', '/import', { rows: [{ external_id: 'x3', tags: [] }] })).status).toBe(400)
  })

  test('an empty name, language or time zone is none', async () => {
    const given = { external_id: 'e1', name: ' ', language: '', timezone: '' }
    expect((await call('POST', '/import', { rows: [given] })).body.created).toBe(1)
    expect((await list({ search: 'e1' })).body.data).toMatchObject([{ name: null, language: null, timezone: null }])
  })

  test('rejects the rows of a CSV whose cells are too long, and stores the others with every character', async () => {
    const word = (length: number) => 'x'.repeat(length)
    const answer = await csv(
      [
        'external_id,email,phone,name,language,timezone,attribute.note',
        `ok,,,${word(200)},,,${word(1_000)}`,
        `note,,,,,,${word(1_001)}`,
        `${word(201)},,,,,,`,
        `mail,${word(320)}@example.com,,,,,`,
        `phone,,+${'1'.repeat(64)},,,,`,
        `name,,,${word(201)},,,`,
        `language,,,,${word(65)},,`,
        `zone,,,,,${word(65)},`,
        'last,last@example.com,,,,,',
      ].join('\n'),
    )
    expect(answer).toMatchObject({
      status: 200,
      body: {
        created: 2,
        updated: 0,
        rejected: [
          { index: 1, reason: 'too_long' },
          { index: 2, reason: 'too_long' },
          { index: 3, reason: 'invalid_address' },
          { index: 4, reason: 'invalid_address' },
          { index: 5, reason: 'too_long' },
          { index: 6, reason: 'invalid_language' },
          { index: 7, reason: 'invalid_timezone' },
        ],
      },
    })
    expect((await list({ search: 'ok' })).body.data).toMatchObject([{ attributes: { note: word(1_000) } }])
    expect((await list({ search: 'last@example.com' })).body.data).toHaveLength(1)
    expect((await csv(`email\n${word(400)}@example.com\n`)).body.rejected).toHaveLength(1)
  })

  test('a repeat with the same Idempotency-Key changes nothing', async () => {
    const headers = { 'idempotency-key': 'import-1' }
    const send = () =>
      server.request('POST', '/v1/people/import', {
        token: owner.token,
        body: { rows: [{ email: 'a@example.com' }] },
        headers,
      })
    expect((await send()).body.created).toBe(1)
    expect((await send()).body.created).toBe(1)
    expect((await list({})).body.data).toHaveLength(1)
  })
})

test('a dry run of an import answers as the import would, and stores nothing', async () => {
  const known = await call('POST', '', grace)
  const rows = [{ ...grace, name: 'Grace Hopper' }, { email: 'ada@example.com' }, { name: 'Nobody' }]
  const expected = { created: 1, updated: 1, rejected: [{ index: 2, reason: 'no_identifier' }] }
  const tried = await call('POST', '/import', { rows, dry_run: true })
  expect(tried).toMatchObject({ status: 200, body: { dry_run: true, ...expected } })
  const csv = await server.request('POST', '/v1/people/import?dry_run=true', {
    token: owner.token,
    body: 'email\nada@example.com\n',
    headers: { 'content-type': 'text/csv' },
  })
  expect(csv.body).toEqual({ dry_run: true, created: 1, updated: 0, rejected: [] })
  const people = (await list({})).body.data
  expect(people).toHaveLength(1)
  expect(people[0]).toMatchObject({ id: known.body.id, name: 'Grace' })
  expect((await call('POST', '/import?dry_run=maybe', { rows })).status).toBe(400)
  expect((await call('POST', '/import', { rows })).body).toEqual(expected)
})
