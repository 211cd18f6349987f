import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import pg from 'pg'
import { uuidv7 } from 'uuidv7'

// The peer: a bare Hono route on the same HTTP server and client library that inserts the rows which Earshot inserted
// for one submission, under new ids, in one pipelined transaction. It validates nothing and passes every policy by.
interface Template {
  table: string
  row: Record<string, unknown>
}

const { DATABASE_URL, POOL_SIZE, TEMPLATES } = process.env
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: Number(POOL_SIZE), pipeline: true } as pg.PoolConfig)
const templates = JSON.parse(TEMPLATES ?? '[]') as Template[]
const ids = [...new Set(templates.map(({ row }) => String(row['id'] ?? '')))].filter(Boolean)
const statements = templates.map(({ table, row }, index) => {
  const columns = Object.keys(row)
  return {
    name: `insert-${index}`,
    text: `insert into ${table} (${columns.join(', ')}) values (${columns.map((_, n) => `$${n + 1}`).join(', ')})`,
    values: Object.values(row),
  }
})

const app = new Hono()
app.post('/responses', async (c) => {
  const body = (await c.req.json()) as { answers: object }
  const renamed = new Map(ids.map((id) => [id, uuidv7()]))
  const client = await pool.connect()
  try {
    const sent = [
      client.query('begin'),
      ...statements.map((statement) => client.query({ ...statement, values: rename(statement.values, renamed) })),
      client.query('commit'),
    ]
    await Promise.all(sent)
  } finally {
    client.release()
  }
  return c.json({ id: renamed.get(ids[0] ?? ''), answers: Object.keys(body.answers).length }, 201)
})

// Ids stand alone, or in the name of an event's cause and in its body.
function rename(values: unknown[], renamed: Map<string, string>): unknown[] {
  return values.map((value) => {
    if (typeof value !== 'string') return value
    const whole = renamed.get(value)
    if (whole !== undefined || !value.startsWith('response:')) return whole ?? value
    return value.replace(ids[0] ?? '', renamed.get(ids[0] ?? '') ?? '')
  })
}

const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1', createServer })
if (!server.listening) await once(server, 'listening')
process.send?.({ port: (server.address() as AddressInfo).port })
process.on('disconnect', () => process.exit())
