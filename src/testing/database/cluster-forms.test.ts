import { describe, expect, test } from 'vitest'
import { assertRunsOnCluster } from './cluster-forms.ts'
import { startTestServer } from '../harness.ts'

test.each([
  'insert into copies as x (tenant_id, id) select s.tenant_id, s.id from surveys s where s.tenant_id = $1 returning x.id',
  'insert into copies (tenant_id, id) select s.tenant_id, s.id from surveys s where s.tenant_id = $1 on conflict do nothing returning id',
  'insert into copies (tenant_id, id) select $1, given.id from unnest($2::uuid[]) as given (id) returning id',
  'with gone as (delete from surveys where tenant_id = $1 returning id) insert into copies (tenant_id, id) select $1, id from gone returning id',
  'insert into copies (tenant_id, id) values ($1, $2) returning id',
  'update surveys set names = array[$2] where tenant_id = $1',
  'update surveys set name = coalesce((array[$2])[1], name) where tenant_id = $1',
  'update surveys set name = given.name from unnest($2::uuid[], $3::text[]) as given (id, name) where tenant_id = $1',
  'update surveys set updated_at = now() where tenant_id = $1',
  'update surveys set state = case when tries = 0 then $2 else $3 end where tenant_id = $1',
  "select case kind when 'custom' then a end as name from facts where tenant_id = $1",
  'select clock_timestamp()',
  'select id from surveys where tenant_id = $1 and cardinality(tags) > 0',
])('a cluster runs: %s', (text) => {
  expect(() => assertRunsOnCluster(text, 'tenant')).not.toThrow()
})

test.each([
  [
    'alias',
    'insert into copies (tenant_id, id) select s.tenant_id, s.id from surveys s where s.tenant_id = $1 returning id',
  ],
  [
    'alias',
    'insert into copies as x (tenant_id, id) select s.tenant_id, s.id from surveys s where s.tenant_id = $1 returning id',
  ],
  [
    'alias',
    'insert into copies (tenant_id, id) select s.tenant_id, n.id from unnest($2::uuid[]) as n (id) cross join lateral (select tenant_id from surveys where tenant_id = $1 and id = n.id offset 0) s returning id',
  ],
  ['subscript', 'update surveys set name = ($2::text[])[array_position($3::uuid[], id)] where tenant_id = $1'],
  ['subscript', 'update surveys set name = names[1], state = $2 where tenant_id = $1'],
  [
    'subscript',
    'insert into surveys (tenant_id, id) values ($1, $2) on conflict (tenant_id, id) do update set name = surveys.names[1]',
  ],
  ['COPY', 'insert into copies (tenant_id, id) select $1, given.id from unnest($2::uuid[]) as given (id)'],
  [
    'COPY',
    'with made as (insert into surveys (tenant_id, id) values ($1, $2) returning id) insert into copies (tenant_id, id) select $1, id from made',
  ],
  ['volatile', 'update surveys set id = gen_random_uuid() where tenant_id = $1'],
  ['volatile', "update surveys set definition = jsonb_build_object('a', name) where tenant_id = $1"],
  ['COPY', 'insert into notes (tenant_id, id) select tenant_id, id from surveys where tenant_id = $1 limit 5'],
  ['volatile', 'delete from surveys where tenant_id = $1 and closes_at < clock_timestamp()'],
  ['volatile', 'with gone as (delete from surveys where tenant_id = $1 and random() < 0.5) select 1'],
  ['CASE', 'update surveys set state = case tries when 0 then $2 else $3 end where tenant_id = $1'],
  ['cardinality', 'update surveys set name = $3 where tenant_id = $1 and cardinality($2::uuid[]) > 0'],
])('refused for its %s: %s', (word, text) => {
  expect(() => assertRunsOnCluster(text, 'tenant')).toThrow(word)
})

test('recursion is for one tenant, or for the form that only plain PostgreSQL runs', () => {
  const query = 'with recursive due as (select 1 union all select 1 from due) select * from due'
  expect(() => assertRunsOnCluster(query, 'tenant')).not.toThrow()
  expect(() => assertRunsOnCluster(query, 'system')).toThrow('recursive')
  expect(() => assertRunsOnCluster(`/* not on a cluster */ ${query}`, 'system')).not.toThrow()
})

describe('of all tenants', () => {
  const fill = (made: string) =>
    `insert into copies (tenant_id, id, at) select s.tenant_id, s.id, made.at from surveys s cross join ${made} where s.id = $1`

  test.each([
    'generate_series(1, 5) as n cross join lateral (select now() + n as at) as made',
    "generate_series(1, 5) as n cross join lateral (values (timestamptz '2026-03-01' + n)) as made (at)",
    "(select made.at from generate_series(1, 5) as n cross join lateral (select n * interval '1 day' as at) as made) as made",
  ])('a fixture takes its values from no subquery without FROM: %s', (made) => {
    expect(() => assertRunsOnCluster(fill(made), 'owner')).toThrow('FROM')
    expect(() => assertRunsOnCluster(fill(made), 'system')).toThrow('FROM')
    expect(() => assertRunsOnCluster(fill(made), 'tenant')).not.toThrow()
  })

  test('a fixture compares in no CASE', () => {
    const text = `${fill('generate_series(1, 5) as n')} and jsonb_build_array(case n when 1 then 'a' end) is not null`
    expect(() => assertRunsOnCluster(text, 'owner')).toThrow('CASE')
    expect(() => assertRunsOnCluster(text.replace('case n when 1', 'case when n = 1'), 'owner')).not.toThrow()
  })

  test.each([
    fill('(select now() + n as at from generate_series(1, 5) as n) as made'),
    `with made as (select now() as at) ${fill('made')}`,
    'select (select now()) as at',
    'insert into copies (tenant_id, id) select tenant_id, id from surveys limit 5',
  ])('a fixture may be: %s', (text) => {
    expect(() => assertRunsOnCluster(text, 'owner')).not.toThrow()
  })
})

test('a test server judges what a test sends as the owner', async () => {
  const server = await startTestServer()
  const refused = 'update webhook_revisions set revision = gen_random_uuid()'
  await expect(server.peek(refused)).rejects.toThrow('volatile')
  await expect(server.services.database.asOwner((owner) => owner.query(refused))).rejects.toThrow('volatile')
  await server.close()
})
