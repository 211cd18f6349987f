import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inflateRawSync } from 'node:zlib'
import { DuckDBInstance } from '@duckdb/node-api'
import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { unguarded } from '../../../../platform/text/formula-guard.ts'
import type { ExportLine } from '../../../../platform/export-source.ts'
import type { NamedColumn, Options } from '../definition/definition.ts'
import { WRITERS } from './formats.ts'
import { workbookOf } from './xlsx.ts'

const VECTORS: string[] = JSON.parse(await readFile(new URL('vectors/csv-injection.json', import.meta.url), 'utf8'))
const OPTIONS: Options = { delimiter: ',', bom: false, answers: 'wide', labels: 'ids', language: null }
const COLUMNS: NamedColumn[] = [
  { field: 'id', type: 'text', header: 'id' },
  { field: 'score', type: 'number', header: 'score' },
  { field: 'at', type: 'date', header: 'at' },
  { field: 'yes', type: 'boolean', header: 'yes' },
]
const LINES: ExportLine[] = [
  ['12345678901234567890', -9.5, '2026-03-29T01:30:00.250Z', false],
  [null, null, null, null],
]

async function write(format: keyof typeof WRITERS, columns: NamedColumn[], lines: ExportLine[], options = {}) {
  async function* batches() {
    for (const line of lines) yield [line]
  }
  const chunks = []
  for await (const chunk of WRITERS[format].write(columns, batches(), { ...OPTIONS, ...options })) chunks.push(chunk)
  return Buffer.concat(chunks)
}

test('no cell or header of a CSV is run by a spreadsheet, and without its apostrophes each is its text again', async () => {
  const columns = VECTORS.map((header, at): NamedColumn => ({ field: String(at), type: 'text', header }))
  const file = await write('csv', columns, [VECTORS])
  const rows: string[][] = parse(file)
  expect(rows).toHaveLength(2)
  for (const row of rows) {
    expect(row.filter((cell) => /^[=+\-@\t\r\n]/.test(cell.normalize('NFKC')))).toEqual([])
    expect(row.map((cell) => unguarded(cell, ','))).toEqual(VECTORS)
  }
})

test.each([
  [',', ';'],
  [';', ','],
  ['\t', ','],
  ['\t', ';'],
])('a CSV with %j is not run by a spreadsheet that splits at %j', async (delimiter, other) => {
  const texts = [...'=+-@＝＋－＠﹦﹢﹣﹫'].map((sign) => `nice${other}${sign}HYPERLINK(A1)${other}`)
  const column: NamedColumn = { field: 'text', type: 'text', header: 'text' }
  const file = String(
    await write(
      'csv',
      [column],
      [...texts, ...VECTORS].map((text) => [text]),
      { delimiter },
    ),
  )
  for (const cell of file.split(other)) expect(cell).not.toMatch(/^[=+\-@＝＋－＠﹦﹢﹣﹫]/)
  const read: string[][] = parse(file, { delimiter, from: 2 })
  expect(read.map(([cell = '']) => unguarded(cell, delimiter))).toEqual([...texts, ...VECTORS])
})

test('JSON in a CSV stays JSON', async () => {
  const column: NamedColumn = { field: 'data', type: 'json', header: 'data' }
  const data = { a: [1, -2, 'x,-y', 'q","-'], b: -3 }
  const [[cell = '']] = parse(await write('csv', [column], [[data]], { delimiter: ';' }), {
    delimiter: ';',
    from: 2,
  }) as [string[]]
  expect(JSON.parse(unguarded(cell, ';'))).toEqual(data)
  expect(() => JSON.parse(cell)).not.toThrow()
})

test('numbers and times of a CSV stay what they are', async () => {
  expect(String(await write('csv', COLUMNS, LINES, { bom: true, delimiter: ';' }))).toBe(
    '\uFEFFid;score;at;yes\r\n12345678901234567890;-9.5;2026-03-29T01:30:00.250Z;false\r\n;;;\r\n',
  )
})

test('each line of JSONL is a row', async () => {
  const lines = String(await write('jsonl', COLUMNS, LINES))
    .trimEnd()
    .split('\n')
  expect(lines.map((line) => Object.values(JSON.parse(line)))).toEqual(LINES)
})

test('a workbook has texts as string cells, and numbers, times and long ids as what they are', async () => {
  const text: NamedColumn = { field: 'text', type: 'text', header: '=1+1' }
  const texts = ['=1+1', 'a\tb\rc\u0001 <&> _x0041_ \uD800']
  const sheet = sheetOf(
    await write(
      'xlsx',
      [...COLUMNS, text],
      [
        [...(LINES[0] ?? []), texts[0]],
        [...(LINES[1] ?? []), texts[1]],
      ],
    ),
  )
  expect(sheet).not.toContain('<f>')
  expect(sheet).toContain('<is><t xml:space="preserve">=1+1</t></is></c></row><row>')
  expect(sheet).toContain('<is><t xml:space="preserve">12345678901234567890</t></is></c><c><v>-9.5</v></c>')
  expect(sheet).toContain(`<c s="1"><v>${46_110 + (1.5 * 3600 + 0.25) / 86_400}</v></c><c t="b"><v>0</v></c>`)
  expect(sheet).toContain('a\tb_x000D_c_x0001_ &lt;&amp;&gt; _x005F_x0041_ \uFFFD')
})

test('Parquet reads back with its types, its nulls and UTC', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'earshot-parquet-'))
  try {
    const path = join(folder, 'part.parquet')
    const many = Array.from({ length: 12_000 }, (_, n) => [n % 2 ? null : `row ${n}`, ...(LINES[n % 2] ?? []).slice(1)])
    await writeFile(path, await write('parquet', COLUMNS, many))
    const duck = await (await DuckDBInstance.create(':memory:')).connect()
    const types = await (await duck.run(`describe select * from '${path}'`)).getRowObjects()
    expect(types.map(({ column_name, column_type }) => [column_name, column_type])).toEqual([
      ['id', 'VARCHAR'],
      ['score', 'DOUBLE'],
      ['at', 'TIMESTAMP WITH TIME ZONE'],
      ['yes', 'BOOLEAN'],
    ])
    const [sums] = await (
      await duck.run(
        `select count(*)::int as n, count(id)::int as ids, sum(score) as score, min(epoch_ms("at"))::double as moment from '${path}'`,
      )
    ).getRowObjects()
    expect(sums).toEqual({ n: 12_000, ids: 6_000, score: -57_000, moment: Date.parse('2026-03-29T01:30:00.250Z') })
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('a workbook goes on with another sheet where one is full', async () => {
  async function* batches() {
    yield Array.from({ length: 5 }, (_, n): ExportLine => [`line ${n + 1}`, n, null, true])
    yield [['line 6', 6, null, true] satisfies ExportLine]
  }
  for (const [most, sheets] of [
    [2, 3],
    [3, 2],
    [4, 2],
    [6, 1],
  ] as const) {
    const chunks = []
    for await (const chunk of workbookOf(COLUMNS, batches(), most)) chunks.push(chunk)
    const zip = Buffer.concat(chunks)
    const texts = Array.from({ length: sheets }, (_, at) => sheetOf(zip, at + 1))
    expect(texts.map((text) => text.split('<row>').length - 2)).toEqual(
      Array.from({ length: sheets }, (_, at) => Math.min(most, 6 - at * most)),
    )
    expect(texts.flatMap((text) => [...text.matchAll(/line \d/g)].map(String))).toEqual(
      Array.from({ length: 6 }, (_, n) => `line ${n + 1}`),
    )
    for (const text of texts) expect(text).toContain('>score<')
    expect(zip.includes(`xl/worksheets/sheet${sheets + 1}.xml`)).toBe(false)
  }
})

test.each(['csv', 'jsonl', 'xlsx', 'parquet'] as const)('%s without rows is still a file', async (format) => {
  expect((await write(format, COLUMNS, [])).byteLength).toBeGreaterThanOrEqual(format === 'jsonl' ? 0 : 10)
})

// The buffers of a workbook's compression hold about thirty of these lines, and a group of Parquet fifty.
test.each([
  ['csv', 2, 'the head and a piece'],
  ['jsonl', 2, 'a piece'],
  ['xlsx', 40, 'a piece'],
  ['parquet', 60, 'a piece'],
] as const)('large lines of %s are made only as far as a reader that stops has room', async (format, most, taken) => {
  const long = (n: number) => createHash('shake256', { outputLength: 80_000 }).update(`${n}`).digest('hex')
  let made = 0
  async function* batches() {
    yield (function* lines(): Generator<ExportLine> {
      for (; made < 200; made++) yield [long(made), 1, null, true]
    })()
  }
  const chunks = WRITERS[format].write(COLUMNS, batches(), OPTIONS)[Symbol.asyncIterator]()
  for (const _piece of taken.split(' and ')) await chunks.next()
  for (let turn = 0; turn < 5_000; turn++) await setImmediate()
  expect(made).toBeLessThanOrEqual(most)
  for (let isOver = false; !isOver;) isOver = (await chunks.next()).done === true
  expect(made).toBe(200)
})

function sheetOf(zip: Buffer, n = 1): string {
  const name = Buffer.from(`xl/worksheets/sheet${n}.xml`)
  const start = zip.indexOf(name) + name.byteLength
  return inflateRawSync(zip.subarray(start), { finishFlush: 2 }).toString()
}
