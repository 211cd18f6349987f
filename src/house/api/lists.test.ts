import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApiKey, createWorkspace, type TestWorkspace } from '../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../testing/harness.ts'
import { publishSurvey, submit } from '../../testing/survey-fixtures.ts'
import { sortNames } from '../../platform/fields/catalogue.ts'
import { countIfAsked } from '../../platform/fields/counting.ts'
import { sql } from '../../platform/database/database.ts'
import { makePerson } from '../../testing/filters/people-rows.ts'
import { Dice } from '../../testing/filters/random.ts'
import * as other from '../../testing/filters/other-rows.ts'
import type { MadeRow } from '../../testing/filters/rows.ts'
import { insertRows } from '../../testing/filters/store.ts'
import { parseId } from '../../platform/ids.ts'
import { PERMISSIONS } from '../../platform/permissions.ts'
import type { ListName } from '../../platform/readers.ts'
import '../../features.ts'

type Row = Record<string, unknown> & { id: string }
type Value = string | number | null

/** The value of a row as its list shows it, where it does not bear the name of the order. */
const SHOWN: Partial<Record<ListName, Record<string, (row: never) => Value>>> = {
  alerts: { priority: (row: { priority: string }) => ['low', 'normal', 'high', 'urgent'].indexOf(row.priority) },
  surveys: { name: (row: { name: string }) => row.name.toLowerCase() },
  responses: { score: (row: { score: { value: number } | null }) => row.score?.value ?? null },
}

/** Rows of lists whose values are drawn at random. */
const MADE = {
  people: ['people', makePerson],
  alerts: ['alerts', other.makeAlert],
  leads: ['leads', other.makeLead],
  webhook_deliveries: ['webhook_deliveries', other.makeDelivery],
  sends: ['sends', other.makeSend],
  audit: ['audit_entries', other.makeEntry],
} as const satisfies Partial<Record<ListName, [table: string, make: (dice: Dice, n: number) => MadeRow]>>

const LISTS: ListName[] = ['surveys', 'responses', ...(Object.keys(MADE) as Array<keyof typeof MADE>)]
const ROWS = 12

let server: TestServer
let owner: TestWorkspace
beforeAll(async () => {
  server = await startTestServer()
  owner = await createWorkspace(server)
  await makeResponses()
  for (const list of LISTS) tokens.set(list, (await createApiKey(server, owner.token, [...PERMISSIONS])).key)
  const tenantId = parseId('workspace', owner.workspaceId)
  for (const [table, make] of Object.values(MADE)) {
    const dice = new Dice(7)
    const rows = Array.from({ length: ROWS }, (_, n) => make(dice, n).stored).map((row) =>
      table === 'people' ? { ...row, attributes: {} } : row,
    )
    await insertRows(server, table, tenantId ?? '', rows)
  }
})
afterAll(() => server.close())

// A session has 600 requests a minute.
const tokens = new Map<ListName, string>()
const get = (path: string) =>
  server.request('GET', `/v1/${path}`, { token: tokens.get(path.split('?')[0]?.replaceAll('-', '_') as ListName) })

async function makeResponses(): Promise<void> {
  for (const name of ['b', 'A', 'c', 'B']) {
    server.clock.advance(1_000)
    await publishSurvey(server, owner.token, { name })
  }
  const id = await publishSurvey(server, owner.token)
  for (const q1 of [9, 0, 9, 4, 9, 4]) {
    await submit(server, id, { q1 })
    server.clock.advance(1_000)
  }
  for (const wait of [1_000, 2_000, 1_000]) {
    const begun = await submit(server, id, {}, { completed: false })
    server.clock.advance(wait)
    await server.request('PATCH', `/public/responses/${begun.body.token}`, {
      body: { answers: { q1: 7 }, completed: true },
    })
    await submit(server, id, {}, { completed: false })
  }
}

async function readAll(path: string, limit: number): Promise<Row[]> {
  const rows: Row[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const { status, body } = await get(`${path}&limit=${limit}${cursor && `&cursor=${cursor}`}`)
    expect(status).toBe(200)
    rows.push(...body.data)
    cursor = body.next_cursor
  }
  return rows
}

describe.each(LISTS)('the list of %s', (list) => {
  const path = list.replaceAll('_', '-')

  test('comes in each of its orders: equal rows newest first, and rows without a value last', async () => {
    const newest = await readAll(`${path}?`, 500)
    expect(newest.length).toBeGreaterThan(3)
    expect(sortNames(list).length).toBeGreaterThan(0)
    for (const field of sortNames(list))
      for (const sort of [field, `-${field}`]) {
        const valueOf = (SHOWN[list]?.[field] ?? ((row: Row) => row[field])) as (row: Row) => Value
        // A sort that keeps the order of equal rows.
        const expected = newest.toSorted((a, b) => compare(valueOf(a), valueOf(b), sort.startsWith('-') ? -1 : 1))
        for (const limit of [5, 500])
          expect(
            (await readAll(`${path}?sort=${sort}`, limit)).map(({ id }) => id),
            `${sort} by ${limit}`,
          ).toEqual(expected.map(({ id }) => id))
      }
  })

  test('counts its rows, with its filters and without them', async () => {
    const rows = await readAll(`${path}?`, 500)
    const count = (n: number) => ({ n, exact: true })
    const filter = encodeURIComponent(JSON.stringify({ all: [{ field: 'id', op: 'one_of', value: [rows[1]?.id] }] }))
    const { body } = await get(`${path}?count=true&limit=1&filter=${filter}`)
    expect(body.data).toEqual([rows[1]])
    expect(body.count).toEqual({ matching: count(1), all: count(rows.length) })
    const first = (await get(`${path}?count=true&limit=1`)).body
    expect(first.count).toEqual({ matching: count(rows.length), all: count(rows.length) })
    const second = await get(`${path}?limit=1&cursor=${first.next_cursor}`)
    expect(second.body.data).toEqual([rows[1]])
    expect(second.body).not.toHaveProperty('count')
  })

  test('refuses a cursor whose value nobody was given', async () => {
    for (const field of sortNames(list)) {
      const { next_cursor: cursor } = (await get(`${path}?limit=1&sort=${field}`)).body
      const [of, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
      for (const value of [
        '\0',
        'abc',
        '',
        'NaN',
        '9'.repeat(19),
        '2026-02-30 10:00:00+00',
        '2026-03-01 10:00:60+00',
      ]) {
        const forged = Buffer.from(JSON.stringify([of, id, value])).toString('base64url')
        const { status } = await get(`${path}?limit=1&sort=${field}&cursor=${forged}`)
        expect([list, field, value, status]).toEqual([
          list,
          field,
          value,
          field === 'name' && value !== '\0' ? 200 : 400,
        ])
      }
    }
  })

  test('refuses a cursor of another order or filter, an unknown order, and more than 500 rows', async () => {
    const [field = ''] = sortNames(list)
    const { next_cursor: cursor } = (await get(`${path}?limit=1&sort=${field}`)).body
    expect((await get(`${path}?limit=2&sort=${field}&count=true&cursor=${cursor}`)).status).toBe(200)
    const filter = encodeURIComponent('{"all":[]}')
    for (const other of ['', `sort=-${field}`, `sort=${field}&filter=${filter}`])
      expect(await get(`${path}?limit=1&${other}&cursor=${cursor}`)).toMatchObject({
        status: 400,
        body: { code: 'cursor_mismatch', issues: [{ path: 'cursor' }] },
      })
    expect(await get(`${path}?sort=nonsense`)).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', issues: [{ path: 'sort', message: expect.stringContaining(field) }] },
    })
    for (const wrong of ['limit=501', 'limit=0', 'count=1', 'cursor=x', `sort=${field},${field}`, 'order=id'])
      expect((await get(`${path}?${wrong}`)).body, wrong).toMatchObject({ code: 'invalid_request' })
  })
})

test.each(['segments', 'invitations', 'export-runs', 'notifications', 'short-urls', 'suppression'])(
  'the list of %s counts its rows',
  async (path) => {
    for (const [at, email] of ['a@example.com', 'b@example.com'].entries()) {
      const send = (to: string, body: object) => server.request('POST', `/v1/${to}`, { token: owner.token, body })
      if (path === 'segments') await send(path, { name: `S${at}`, filter: { all: [] } })
      if (path === 'short-urls') await send(path, { target: `https://example.com/${at}` })
      if (path === 'suppression') await send(path, { channel: 'email', address: email })
      if (path === 'export-runs') await send(path, { source: 'responses' })
    }
    const { body } = await server.request('GET', `/v1/${path}?count=true&limit=1`, { token: owner.token })
    const n = path === 'invitations' || path === 'notifications' ? 0 : 2
    expect(body.count).toEqual({ matching: { n, exact: true }, all: { n, exact: true } })
  },
)

test('a count that takes too long is a floor', async () => {
  const tenantId = parseId('workspace', owner.workspaceId)
  if (!tenantId) throw new Error('no workspace')
  let isFirst = true
  const counted = await server.services.run((system) =>
    countIfAsked(
      system.tenant(tenantId, { type: 'system' }),
      { count: 'true' },
      {
        table: 'responses',
        alias: 'r',
        matching() {
          const condition = isFirst ? sql`pg_sleep(0.1) is not null` : sql`true`
          isFirst = false
          return condition
        },
        all: () => sql`r.id is not null`,
      },
    ),
  )
  const { body } = await get('responses?count=true&limit=1')
  expect(counted.count).toEqual({
    matching: { n: body.count.all.n - 1, exact: false },
    all: body.count.all,
  })
})

function compare(a: Value, b: Value, direction: 1 | -1): number {
  if (a === b) return 0
  if (a === null || b === null) return a === null ? 1 : -1
  return (a < b ? -1 : 1) * direction
}
