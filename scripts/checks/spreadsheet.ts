// Opens a workbook of ours in LibreOffice and reads what its cells show: `npm run check:spreadsheet`. It says so where
// LibreOffice is not installed. docs/exports.md, "Check a workbook"
import { spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import type { NamedColumn } from '../../src/features/exports/exports/definition/definition.ts'
import { WRITERS } from '../../src/features/exports/exports/formats/formats.ts'

// UTF-8, with commas, each cell as it is shown.
const AS_SHOWN = 'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false'
const COLUMNS: NamedColumn[] = [
  { field: 'id', type: 'text', header: '=id' },
  { field: 'score', type: 'number', header: 'score' },
  { field: 'at', type: 'date', header: 'at' },
  { field: 'yes', type: 'boolean', header: 'yes' },
  { field: 'text', type: 'text', header: 'text' },
]
const TEXTS = [
  '=1+1',
  '-2',
  "'quoted",
  '+49 30 1234',
  '00123',
  '1e5',
  '2026-03-29',
  'a, "b"\nc',
  '😀 é &<>',
  '@x',
  'TRUE',
]
const LINES = TEXTS.map((text, n) => [
  '12345678901234567890',
  n - 0.5,
  `2026-03-29T01:30:0${n % 10}.000Z`,
  n % 2 === 0,
  text,
])
const SHOWN = LINES.map(([id, score, , yes, text], n) => [
  id,
  String(score),
  `2026-03-29 01:30:0${n % 10}`,
  yes ? 'TRUE' : 'FALSE',
  text,
])

const folder = await mkdtemp(join(tmpdir(), 'earshot-spreadsheet-'))
try {
  process.exitCode = await check()
} finally {
  await rm(folder, { recursive: true })
}

async function check(): Promise<number> {
  const { write } = WRITERS.xlsx
  const options = { delimiter: ',', bom: false, answers: 'wide', labels: 'ids', language: null } as const
  await writeFile(join(folder, 'part.xlsx'), write(COLUMNS, batches(), options))
  const profile = `-env:UserInstallation=file://${join(folder, 'profile')}`
  const { error, stderr } = spawnSync(
    'soffice',
    [profile, '--headless', '--convert-to', AS_SHOWN, '--outdir', folder, join(folder, 'part.xlsx')],
    { encoding: 'utf8' },
  )
  if (error && 'code' in error && error.code === 'ENOENT') {
    process.stdout.write('LibreOffice (soffice) is not installed, so nothing was checked.\n')
    return 0
  }
  if (error) {
    process.stdout.write(`soffice cannot be started, so nothing was checked: ${error.message}\n`)
    return 1
  }
  const found: string[][] = parse(await readFile(join(folder, 'part.csv')).catch(() => ''))
  const expected = [COLUMNS.map(({ header }) => header), ...SHOWN]
  const wrong = expected.flatMap((cells, row) =>
    cells.flatMap((cell, at) =>
      found[row]?.[at] === cell
        ? []
        : `row ${row + 1}, ${COLUMNS[at]?.field}: ${JSON.stringify(found[row]?.[at])} in place of ${JSON.stringify(cell)}`,
    ),
  )
  if (found.length !== expected.length) wrong.push(`${found.length} rows in place of ${expected.length}. ${stderr}`)
  process.stdout.write(
    wrong.length === 0 ? 'LibreOffice shows every cell as it was written.\n' : `${wrong.join('\n')}\n`,
  )
  return wrong.length === 0 ? 0 : 1
}

async function* batches() {
  yield LINES
}
