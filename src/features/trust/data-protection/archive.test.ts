import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { inflateRawSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { ArchiveDocument } from './archive-document.ts'
import { archivesStore, isWhole, storeArchive } from './archives.service.ts'
import { openHouse, plantPerson, runRequests, EMAIL, PHONE, TWIN, type House } from './person.fixture.ts'
import { newId, parseId } from '../../../platform/ids.ts'
import { runSweep, sweepNamed } from '../../../testing/fixtures.ts'
import { makeLiveSurvey, submit } from '../../../testing/makers.ts'

const SCHEMA = new URL('../../../../docs/archive.schema.json', import.meta.url)

let house: House
let planted: string[]
beforeAll(async () => {
  house = await openHouse()
  planted = await plantPerson(house)
}, 120_000)
afterAll(() => house.close())

async function archiveOf(body: object): Promise<{ id: string; files: Map<string, string> }> {
  const { id } = (await house.call('POST', '/v1/gdpr/requests', body)).body
  await runRequests(house.server)
  const answer = await house.server.app.fetch(
    new Request(`http://localhost/v1/gdpr/requests/${id}/archive`, {
      headers: { authorization: `Bearer ${house.workspace.token}` },
    }),
  )
  expect(answer.headers.get('content-type')).toBe('application/zip')
  expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="${id}.zip"`)
  return { id, files: unzip(Buffer.from(await answer.arrayBuffer())) }
}

test('the schema in the documents is that of the code', async () => {
  const schema = `${JSON.stringify(z.toJSONSchema(ArchiveDocument), null, 2)}\n`
  if (process.env['WRITE_SCHEMA']) await writeFile(SCHEMA, schema)
  expect(await readFile(SCHEMA, 'utf8')).toBe(schema)
})

test('an archive has what is stored of the person, for people and for programs, and nobody else', async () => {
  const { id, files } = await archiveOf({
    kind: 'access',
    subject: { email: EMAIL, phone: PHONE, response_ids: planted },
  })
  expect([...files.keys()]).toEqual(['index.html', 'archive.json'])
  const document = JSON.parse(files.get('archive.json') ?? '')
  const published = z.fromJSONSchema(JSON.parse(await readFile(SCHEMA, 'utf8')))
  expect(published.safeParse(document).error).toBeUndefined()
  expect(published.safeParse({ ...document, version: 2 }).success).toBe(false)
  expect(document).toMatchObject({ request_id: id, kind: 'access', workspace: 'Acme' })
  expect(Object.keys(document.stores)).toEqual(
    expect.arrayContaining([
      'responses',
      'notes',
      'people',
      'sends',
      'conversations',
      'events',
      'deliveries',
      'outbox',
      'invitations',
    ]),
  )
  expect(document.stores.sends).toMatchObject([{ address: EMAIL, name: 'Wilhelmina Unmistakable' }])
  expect(JSON.stringify(document.stores.responses)).toContain('How likely are you to recommend us?')
  const page = files.get('index.html') ?? ''
  expect(page).toContain('<h1>Your data at Acme</h1>')
  expect(page).toContain('I live in the lighthouse.')
  expect(page).toContain('&lt;mailto:')
  expect(page).not.toMatch(/<script|src=|href=|url\(|ear_invite/i)
  for (const text of files.values()) expect(text).not.toContain(TWIN.email)
})

test('portability is the same archive, and a person who is not stored gets an empty one', async () => {
  const { files } = await archiveOf({ kind: 'portability', subject: { email: 'nobody@example.com' } })
  expect(JSON.parse(files.get('archive.json') ?? '')).toMatchObject({ kind: 'portability', stores: {} })
  expect(files.get('index.html')).toContain('Nothing is stored about you.')
})

test('of a response that only mentions the person, they read the words that do, and nothing of who gave it', async () => {
  const said = {
    q1: 0,
    q3: 'My boss alice.a@example.com is awful',
    q4: { name: 'Bob Bystander', email: 'bob.b@example.com', phone: '+4915177777777' },
  }
  const { id } = await submit(house.server, house.surveyId, { answers: said, custom_data: { plan: 'secret plan' } })
  await house.call('POST', `/v1/responses/${id}/notes`, { text: 'Bob is upset' })
  await house.engine.idle()
  const { files } = await archiveOf({ kind: 'access', subject: { email: 'alice.a@example.com' } })
  const { stores } = JSON.parse(files.get('archive.json') ?? '')
  expect(stores.responses).toEqual([{ id, mentions: [said.q3] }])
  for (const text of files.values()) expect(text).not.toMatch(/bob|7777777|secret plan/i)
})

test('an answer to a contact question makes a response the person’s, unless somebody else was invited to it', async () => {
  const { server, surveyId } = house
  const said = { q1: 3, q3: 'Too late', q4: { name: 'Dora', email: 'Dora.D@example.com' } }
  const { id } = await submit(server, surveyId, { answers: said })
  const invited = (await submit(server, surveyId, { answers: said })).id
  await server.peek(`update responses set channel = 'email' where id = $1`, [parseId('response', invited)])
  const { files } = await archiveOf({ kind: 'access', subject: { email: 'dora.d@example.com' } })
  const { stores } = JSON.parse(files.get('archive.json') ?? '')
  expect(stores.responses).toMatchObject([
    { id, answers: [{ value: 3 }], text: [{ value: 'Too late' }, { value: { name: 'Dora' } }] },
    { id: invited, mentions: ['Dora.D@example.com'] },
  ])
})

test('of what others hold, the person reads the words that mention them', async () => {
  const { server, surveyId, call } = house
  await call('POST', '/v1/alert-rules', { name: 'All', trigger: { on: 'response', filter: { all: [] } } })
  const said = { q1: 0, q3: 'Bob says hello', q4: { name: 'Bob Bystander', email: 'bob.b@example.com' } }
  const { id } = await submit(server, surveyId, { answers: said, custom_data: { plan: 'secret plan' } })
  const note = { text: 'carol.c@example.com asked about it' }
  await call('POST', `/v1/responses/${id}/notes`, note, { 'idempotency-key': 'carol' })
  const alert = (await call('GET', '/v1/alerts')).body.data[0]
  for (const text of ['Bob is angry', 'Ask carol.c@example.com']) {
    const made = await call('POST', `/v1/alerts/${alert.id}/comments`, { text })
    expect(made.status, made.text).toBe(201)
  }
  const lead = (await call('POST', '/v1/leads', { name: 'Bob Bystander', email: 'bob.b@example.com' })).body
  await call('POST', `/v1/leads/${lead.id}/notes`, { text: 'Knows carol.c@example.com' })
  const subject = { email: 'carol.c@example.com' }
  const { files } = await archiveOf({ kind: 'access', subject })
  for (const text of files.values()) expect(text).not.toMatch(/bob|secret plan/i)
  const { stores } = JSON.parse(files.get('archive.json') ?? '')
  expect(stores).toMatchObject({
    notes: [{ response_id: id, text: note.text }],
    comments: [{ text: 'Ask carol.c@example.com' }],
    leads: [{ id: lead.id, mentions: ['Knows carol.c@example.com'] }],
  })
  expect(stores.idempotency_keys).toMatchObject([{ mentions: [note.text] }])
  expect(stores.responses).toBeUndefined()

  await call('PATCH', `/v1/responses/${id}`, { tags: ['vip', 'of carol.c@example.com'] })
  await call('PATCH', `/v1/alerts/${alert.id}`, { root_cause: 'carol.c@example.com', resolution: 'Bob is happy' })
  const before = (await call('GET', `/v1/responses/${id}`)).body
  const erasure = (await call('POST', '/v1/gdpr/requests', { kind: 'erasure', subject })).body
  await runRequests(server)
  expect((await call('GET', `/v1/gdpr/requests/${erasure.id}`)).body).toMatchObject({ status: 'completed' })
  const left = (await call('GET', `/v1/responses/${id}`)).body
  expect(left).toMatchObject({ answers: before.answers, text: before.text, custom_data: before.custom_data })
  expect(left).toMatchObject({ tags: ['vip'], notes: [] })
  expect((await call('GET', `/v1/alerts/${alert.id}`)).body).toMatchObject({
    excerpt: expect.anything(),
    root_cause: null,
    resolution: 'Bob is happy',
  })
  expect((await call('GET', `/v1/leads/${lead.id}`)).body).toMatchObject({ name: 'Bob Bystander', notes: [] })
})

test('an archive has what a batch keeps of the person, and their address that it keeps of others', async () => {
  const email = 'nora.n@example.com'
  const other = { external_id: 'other', attributes: { referrer: email, city: 'Ulm' } }
  const ids: string[] = []
  for (const body of [{ email, attributes: { city: 'Bonn' } }, other])
    ids.push((await house.call('POST', '/v1/people', body)).body.id)
  const change = { attributes: { city: 'Kiel', referrer: 'x' } }
  const batch_id = (await house.call('POST', '/v1/people/batch', { ids, do: change })).body.id
  const given = { ids: [ids[1]], do: { attributes: { referrer: email } } }
  const giving = (await house.call('POST', '/v1/people/batch', given)).body.id
  await house.call('PATCH', `/v1/people/${ids[1]}`, { attributes: { referrer: null } })
  const { files } = await archiveOf({ kind: 'access', subject: { email } })
  const { responses } = JSON.parse(files.get('archive.json') ?? '').stores
  expect(responses).toHaveLength(4)
  expect(responses).toEqual(
    expect.arrayContaining([
      {
        batch_id,
        before: { attributes: { city: 'Bonn' }, language: null },
        after: { attributes: change.attributes, language: null },
      },
      { batch_id, mentions: [email] },
      { batch_id: giving, mentions: [email] },
    ]),
  )
  expect(files.get('archive.json')).not.toContain('Ulm')
})

test('an archive of many long answers is sealed in parts, and whole when it is downloaded', async () => {
  const { server, workspace } = house
  const surveyId = await makeLiveSurvey(server, workspace, {
    name: 'Long',
    metric: null,
    questions: [
      { id: 'who', type: 'contact', title: 'Who?', fields: ['email'] },
      { id: 'q1', type: 'open_text', title: 'Why?', max_length: 50_000 },
    ],
  })
  const texts = Array.from({ length: 25 }, () => randomBytes(24_000).toString('hex'))
  for (const q1 of texts) await submit(server, surveyId, { answers: { who: { email: 'long@example.com' }, q1 } })
  server.statements.length = 0
  const { id, files } = await archiveOf({ kind: 'access', subject: { email: 'long@example.com' } })
  // The first part is stored before the last answer is read.
  const made = server.statements.map(({ text }) => text)
  const stored = made.findIndex((text) => /insert into privacy_archives[^]*'{}'/.test(text))
  expect(stored).toBeGreaterThan(0)
  expect(stored).toBeLessThan(made.findLastIndex((text) => /from responses/.test(text)))
  const { stores } = JSON.parse(files.get('archive.json') ?? '')
  const read = stores.responses.map(({ text }: { text: Array<{ value: unknown }> }) => text.at(-1)?.value)
  expect(read.toSorted()).toEqual(texts.toSorted())
  for (const text of texts) expect(files.get('index.html')).toContain(text)
  const parts = await server.peek<{ n: number }>('select count(*)::integer as n from privacy_archives')
  expect(parts[0]?.n).toBeGreaterThan(4)
  const path = `${await server.listen()}/v1/gdpr/requests/${id}/archive`
  const answer = await fetch(path, { headers: { authorization: `Bearer ${workspace.token}` } })
  const bytes = (await answer.arrayBuffer()).byteLength
  expect(answer.headers.get('content-length')).toBe(`${bytes}`)
  // Of a client that does not read on, one part is in memory.
  server.statements.length = 0
  const unread = await fetch(path, { headers: { authorization: `Bearer ${workspace.token}` } })
  const reads = server.statements.filter(({ text }) => /select[^]*sealed[^]*from privacy_archives/.test(text))
  await unread.body?.cancel()
  expect(reads.length).toBeGreaterThan(0)
  for (const { text } of reads) expect(text).toMatch(/ part = |limit 1$/)
})

test.each([1_200_000, 20])(
  'an archive of %i bytes whose person is erased while it is written is not whole',
  async (bytes) => {
    const { server, workspace } = house
    const id = newId('privacyRequest')
    const tenantId = parseId('workspace', workspace.workspaceId)
    if (!tenantId) throw new Error('no workspace')
    await server.services.run(async (system) => {
      const scope = system.tenant(tenantId, { type: 'system' })
      const person = { addresses: [], responseIds: [newId('response')], mentionedIn: [], personIds: [] }
      const erase = () =>
        scope.tx(async (tx) => {
          const { keys } = await archivesStore.find(scope, tx, person, {
            mentions: async () => false,
            typedIn: async () => [],
            scan: async function* none() {},
          })
          await archivesStore.erase(scope, tx, keys)
        })
      const write = async (between: () => Promise<unknown>) => {
        async function* archive() {
          yield randomBytes(bytes / 2)
          await between()
          yield randomBytes(bytes / 2)
        }
        const parts = await storeArchive(
          scope,
          { id, person, archive: archive() },
          async (work) => void (await scope.tx(work)),
        )
        return scope.tx((tx) => isWhole(tx, id, parts))
      }
      expect(await write(erase)).toBe(false)
      expect(await write(async () => {})).toBe(true)
    })
  },
)

test('portability leaves out what members noted', async () => {
  const { id } = await submit(house.server, house.surveyId, { answers: { q1: 4 } })
  await house.call('POST', `/v1/responses/${id}/notes`, { text: 'a difficult customer' })
  const subject = { response_ids: [id] }
  expect((await archiveOf({ kind: 'access', subject })).files.get('archive.json')).toContain('a difficult customer')
  const { files } = await archiveOf({ kind: 'portability', subject })
  expect(files.get('archive.json')).toContain(id)
  expect(files.get('archive.json')).not.toContain('a difficult customer')
})

test('an archive expires after 7 days, and other requests have none', async () => {
  const { id } = await archiveOf({ kind: 'access', subject: { email: EMAIL } })
  house.server.clock.advance(7 * 86_400_000)
  const path = `/v1/gdpr/requests/${id}/archive`
  const signIn = { email: house.workspace.email, password: house.workspace.password }
  house.workspace.token = (await house.call('POST', '/public/sessions', signIn)).body.token
  expect(await house.call('GET', path)).toMatchObject({ status: 410, body: { code: 'archive_expired' } })
  await runSweep(house.server, sweepNamed('data-protection.archives'))
  expect(await house.server.peek('select 1 from privacy_archives')).toEqual([])
  const dry = (
    await house.call('POST', '/v1/gdpr/requests', { kind: 'access', subject: { email: EMAIL }, dry_run: true })
  ).body
  expect(await house.call('GET', `/v1/gdpr/requests/${dry.id}/archive`)).toMatchObject({
    status: 409,
    body: { code: 'no_archive' },
  })
})

/** Reads the entries of the central directory. */
function unzip(zip: Buffer): Map<string, string> {
  const files = new Map<string, string>()
  const end = zip.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'))
  let at = zip.readUInt32LE(end + 16)
  for (let n = zip.readUInt16LE(end + 10); n > 0; n--) {
    const [packed, nameLength, extra, comment] = [
      zip.readUInt32LE(at + 20),
      zip.readUInt16LE(at + 28),
      zip.readUInt16LE(at + 30),
      zip.readUInt16LE(at + 32),
    ]
    const name = zip.toString('utf8', at + 46, at + 46 + nameLength)
    const local = zip.readUInt32LE(at + 42)
    const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
    files.set(name, inflateRawSync(zip.subarray(start, start + packed)).toString('utf8'))
    at += 46 + nameLength + extra + comment
  }
  return files
}
