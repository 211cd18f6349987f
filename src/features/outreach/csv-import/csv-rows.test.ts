import { expect, test } from 'vitest'
import { readCsv } from './csv-rows.ts'

const COLUMNS = {
  known: ['email', 'name'],
  ignored: ['id'],
  family: 'custom.<field>',
  oneOf: ['email'],
  most: 100,
} as const

async function read(given: string | Uint8Array, contentType?: string) {
  const { rows, issues } = await readCsv(Buffer.from(given), COLUMNS, (row) => Object.fromEntries(row), contentType)
  return issues.length > 0 ? { issues } : { rows }
}

const LINES = ['email,name', 'a@example.com,"Müller, Zoë"', 'b@example.com,José €']
const ROWS = [
  { email: 'a@example.com', name: 'Müller, Zoë' },
  { email: 'b@example.com', name: 'José €' },
]
const TEXT = `${LINES.join('\r\n')}\r\n`
const BARE = TEXT.replace('"Müller, Zoë"', 'Müller Zoë')
const BARE_ROWS = [{ email: 'a@example.com', name: 'Müller Zoë' }, ROWS[1]]

function utf16(text: string, isBigEndian = false, mark = '\uFEFF'): Buffer {
  const bytes = Buffer.from(mark + text, 'utf16le')
  return isBigEndian ? bytes.swap16() : bytes
}

function windows(text: string): Buffer {
  return Buffer.from(
    text
      .replaceAll('€', '\x80')
      .replaceAll('“', '\x93')
      .replaceAll('”', '\x94')
      .replaceAll('„', '\x84')
      .replaceAll('š', '\x9a')
      .replaceAll('Š', '\x8a')
      .replaceAll('’', '\x92'),
    'latin1',
  )
}

test.each<[string, Uint8Array]>([
  ['UTF-8', Buffer.from(TEXT)],
  ['UTF-8 with a mark', Buffer.from(`\uFEFF${TEXT}`)],
  ['UTF-16 LE', utf16(TEXT)],
  ['UTF-16 BE', utf16(TEXT, true)],
  ['UTF-16 LE without a mark', utf16(TEXT, false, '')],
  ['UTF-16 BE without a mark', utf16(TEXT, true, '')],
  ['Windows-1252', windows(TEXT)],
])('%s is read, letter by letter', async (_, bytes) => {
  expect(await read(bytes)).toEqual({ rows: ROWS })
})

test.each(['\r\n', '\n', '\r'])('lines may end with %j', async (end) => {
  const text = LINES.join(end)
  expect(await read(text)).toEqual({ rows: ROWS })
  expect(await read(utf16(`${text}${end}${end}`))).toEqual({ rows: ROWS })
})

test.each([';', '\t', '|', ','])('cells may be parted by %j, and `sep=` may say so', async (sign) => {
  const text = BARE.replaceAll(',', sign)
  for (const line of ['', `sep=${sign}\r\n`, `"sep=${sign}"\n`, `SEP=${sign}\r`])
    for (const bytes of [
      Buffer.from(line + text),
      Buffer.from(`\uFEFF${line}${text}`),
      utf16(line + text),
      windows(line + text),
    ])
      expect(await read(bytes), line).toEqual({ rows: BARE_ROWS })
})

test('the first line alone decides the separator, and signs in quotes there do not count', async () => {
  expect(await read('email;name\na@example.com;Hopper, Grace, Dr., PhD\n')).toEqual({
    rows: [{ email: 'a@example.com', name: 'Hopper, Grace, Dr., PhD' }],
  })
  expect(await read('email\na@example.com;x,y')).toMatchObject({ issues: [{ path: 'line 2' }] })
  expect(await read('"email";"custom.a,b,c"\na@example.com;1')).toEqual({
    rows: [{ email: 'a@example.com', 'custom.a,b,c': '1' }],
  })
  expect(await read('sep=^\nemail^name\na@example.com^"A^B"')).toEqual({
    rows: [{ email: 'a@example.com', name: 'A^B' }],
  })
})

test('empty columns and lines at the end are left out, and so are cells that a line lacks', async () => {
  const one = { rows: [{ email: 'a@example.com', name: 'Ada' }, { email: 'b@example.com' }] }
  for (const text of [
    'email,name,\na@example.com,Ada,\nb@example.com,,\n',
    `email,name${','.repeat(16_382)}\na@example.com,Ada\nb@example.com,,\n`,
    'email,,name\na@example.com,,Ada\nb@example.com\n',
    `email;name;;\r\na@example.com;Ada;;\r\nb@example.com;;;\r\n${';;;\r\n'.repeat(100_000)}`,
    '\n\r\nemail,name\na@example.com,Ada\n\nb@example.com\n \n\t\n',
    'email,name,"",\na@example.com,Ada,"",\nb@example.com,,"",',
  ])
    expect(await read(text), text.slice(0, 40)).toEqual(one)
  for (const wrong of [
    'email,name,\na@example.com,Ada,x\n',
    'email\na@example.com,x\n',
    'email,,name\na@example.com,x,Ada\n',
  ])
    expect(await read(wrong)).toEqual({
      issues: [{ path: 'line 2', message: expect.stringMatching(/^Column \d has a value here, but no name/) }],
    })
})

const TOO_LONG = {
  path: 'line 2',
  message: expect.stringMatching(/^A line can have at most 1048576 bytes and 200000 cells/),
}
const HOSTILE: Array<[string, string, object]> = [
  ['a million empty cells in a line', `email,name\n${`a@example.com,x${','.repeat(1_000_000)}\n`.repeat(2)}`, TOO_LONG],
  [
    'a head that goes on after a line end in quotes',
    `"e\n",${Array.from({ length: 160_000 }, (_, n) => n.toString(36)).join()}\nx`,
    { path: 'line 1', message: 'Use at most 200 columns.' },
  ],
  [
    'a head of long names after a line end in quotes',
    `"e\n",${`${'a'.repeat(200)},`.repeat(100)}\nx`,
    { path: 'line 1', message: 'The first line can have at most 16384 characters.' },
  ],
]
test.each(HOSTILE)('%s is refused with one issue', async (_, text, issue) => {
  expect(await read(text)).toEqual({ issues: [issue] })
})

test('a cell that is longer than any field keeps its signs', async () => {
  const long = ";'=".repeat(340_000)
  expect(await read(`email,name\na@example.com,"${long}"`)).toEqual({ rows: [{ email: 'a@example.com', name: long }] })
  const short = ";'=".repeat(100)
  expect(await read(`email,name\na@example.com,"${short}"`)).toEqual({
    rows: [{ email: 'a@example.com', name: ';='.repeat(100) }],
  })
})

test('many lines of many empty cells are read', async () => {
  const line = `a@example.com${','.repeat(600)}\n`
  const { rows, issues } = await readCsv(
    Buffer.from(`email,name\n${line.repeat(1_500)}`),
    { ...COLUMNS, most: 20_000 },
    (row) => row.size,
  )
  expect(issues).toEqual([])
  expect(rows).toHaveLength(1_500)
})

test('of a head of unknown columns twenty are named', async () => {
  const { issues } = await read(`email,${Array.from({ length: 150 }, (_, n) => `c${n}`).join()}\na@example.com\n`)
  expect(issues?.map(({ path }) => path)).toEqual(Array.from({ length: 20 }, (_, n) => `line 1, column ${n + 2}`))
})

test('a sign that ended files of DOS is no line', async () => {
  expect(await read(`${TEXT}\x1a`)).toEqual({ rows: ROWS })
})

const zip = (rest: string) => Buffer.concat([Buffer.from('PK\x03\x04\x14\0'), Buffer.from(rest)])
test.each<[string, Uint8Array | string, RegExp]>([
  ['an .xlsx file', zip('[Content_Types].xml'), /workbook/],
  ['an .ods file', zip('mimetypeapplication/vnd.oasis.opendocument.spreadsheet'), /workbook/],
  ['a .numbers file', zip('Index/Document.iwa'), /workbook/],
  ['an old .xls file', Buffer.from('d0cf11e0a1b11ae10000', 'hex'), /workbook/],
  ['a page that is named .xls', '<html><table><tr><td>email', /workbook/],
  ['a PDF', '%PDF-1.7\n', /workbook/],
  ['a compressed file', Buffer.from('1f8b080000', 'hex'), /workbook/],
  ['RTF', '{\\rtf1\\ansi email}', /workbook/],
  ['a picture', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), /not a text file/],
  ['UTF-32', Buffer.concat([Buffer.from('fffe0000', 'hex'), Buffer.from('e\0\0\0m\0\0\0')]), /not a text file/],
  ['NUL characters', 'email\na\0@example.com', /not a text file/],
  ['half a UTF-16 file', utf16(TEXT).subarray(0, -1), /letters/],
  ['Mac Roman', Buffer.from('email,name\ra@example.com,M\x9fller\r', 'latin1'), /letters/],
  ['Mac Roman with more of it', Buffer.from('email,name\ra@example.com,Andr\x8e M\x87rquez\r', 'latin1'), /letters/],
  [
    'Mac Roman with letters that Windows lacks',
    Buffer.from('email,name\ra@example.com,\x81ngstr\x9am', 'latin1'),
    /letters/,
  ],
  ['Polish in its own encoding', Buffer.from('email,name\na@example.com,Wa\xb3\xeasa', 'latin1'), /letters/],
  [
    'Russian in its own encoding',
    Buffer.from('email,name\na@example.com,\xc8\xe2\xe0\xed\xee\xe2 \xcf\xb8\xf2\xf0 \xc8\xe2\xe0\xed', 'latin1'),
    /letters/,
  ],
  ['broken UTF-8', Buffer.from('\xef\xbb\xbfemail\na@example.com,\xff', 'latin1'), /letters/],
  [
    'UTF-8 of lone letters with one wrong byte',
    Buffer.concat([Buffer.from('email,name\na@example.com,Chloé\nb@example.com,Zoé\nc@example.com,'), Buffer.of(0xff)]),
    /letters/,
  ],
  ['UTF-8 with one wrong byte', Buffer.concat([Buffer.from(TEXT), Buffer.of(0xe9)]), /letters/],
  ['Japanese in its own encoding', Buffer.from('656d61696c2c6e616d650a6140782e792c8ab093ab', 'hex'), /letters/],
  ['two letters of Japanese', Buffer.from('656d61696c2c6e616d650a6140782e792c93639286', 'hex'), /letters/],
  ['another name in Japanese', Buffer.from('656d61696c2c6e616d650a6140782e792c8e529363', 'hex'), /letters/],
  ['Chinese in its own encoding', Buffer.from('656d61696c0a6140782e792cc0eecba7cdf5cea4d5c5', 'hex'), /letters/],
  ['JSON', '[{"email":"a@example.com"}]', /another document/],
  ['an open quote', 'email,name\na@example.com,"Ada\n', /not a CSV/],
  ['a quote within a cell', 'email,name\na@example.com,Ada "Lady" L.\n', /not a CSV/],
])('%s is refused, and the reason says how to save it', async (_, bytes, reason) => {
  const { issues } = await read(bytes)
  expect(issues).toEqual([{ path: expect.any(String), message: expect.stringMatching(reason) }])
  expect(issues?.[0]?.message).toContain('Save it as CSV UTF-8')
})

test.each<[string, Uint8Array]>([
  ['charset=utf-8', Buffer.from(TEXT)],
  ['charset="UTF-8"', Buffer.from(`\uFEFF${TEXT}`)],
  ['header=present; charset=utf8', Buffer.from(TEXT)],
  ['charset=utf-16', utf16(TEXT)],
  ['charset=utf-16', utf16(TEXT, true)],
  ['charset=utf-16', utf16(TEXT, true, '')],
  ['charset=UTF-16LE', utf16(TEXT, false, '')],
  ['charset=utf-16be', utf16(TEXT, true, '')],
  ['charset=windows-1252', windows(TEXT)],
  ['charset=cp1252', windows(TEXT)],
  ['Charset = ISO-8859-1', windows(TEXT)],
  ['charset=latin1', windows(TEXT)],
  ['charset=windows-1252', Buffer.from(`\uFEFF${TEXT}`)],
])('a file that is declared with %s is read by it', async (charset, bytes) => {
  expect(await read(bytes, `text/csv; ${charset}`)).toEqual({ rows: ROWS })
})

test.each([
  'windows-1250',
  '"ISO-8859-2"',
  'shift_jis',
  'gbk',
  'koi8-r',
  'iso-8859-15',
  'macintosh',
  'utf-32',
  'nonsense',
])('a file that is declared as %s is refused, even if its letters could be read', async (charset) => {
  const message = expect.stringMatching(/^The declared charset is none of utf-8, .*Save it as CSV UTF-8/)
  for (const bytes of [Buffer.from(TEXT), windows(TEXT), Buffer.from('email\na@example.com')])
    expect(await read(bytes, `text/csv; charset=${charset}`)).toEqual({ issues: [{ path: '', message }] })
})

test('a file that is not what it is declared as is refused', async () => {
  for (const [charset, bytes] of [
    ['utf-8', windows(TEXT)],
    ['windows-1252', Buffer.from(TEXT)],
    ['utf-16', Buffer.from(TEXT)],
  ] as const)
    expect(await read(bytes, `text/csv; charset=${charset}`), charset).toHaveProperty('issues')
})

test.each([
  'O’Neil',
  'the “big” one',
  '„Chef“',
  'Dušan Müller Çelik',
  'ÄÖÜäöüß',
  'price: 5 € · 50 %',
  '¡Ánimo! «é» Café®',
  'Šárka',
  'l·lacuna col·lecció',
  'Señor ½ ¿qué?',
])('Windows-1252 with %s is read', async (name) => {
  expect(await read(windows(`email,name\na@example.com,${name}`))).toEqual({
    rows: [{ email: 'a@example.com', name }],
  })
})

test('an apostrophe that our exports write is taken away, each other stays', async () => {
  const cells = ["'+4930901820", "'=1+1", "''x", "'x", "'", "'-", "'＝1", "'@a", '"\'\t"', '"\'\nx"', "'Tis", "''"]
  const { rows } = await read(`email,name\n${cells.map((cell) => `a@example.com,${cell}`).join('\n')}`)
  expect(rows?.map(({ name }) => name)).toEqual([
    '+4930901820',
    '=1+1',
    "'x",
    "'x",
    "'",
    '-',
    '＝1',
    '@a',
    '\t',
    '\nx',
    "'Tis",
    "'",
  ])
})

test('letters, pairs and line ends may fall on the edge of a slice', async () => {
  for (let shift = 0; shift < 4; shift++) {
    const names = Array.from({ length: 90 }, (_, n) => `${'x'.repeat(shift)}é😀${'ü'.repeat(200)}${n}`)
    const text = `email,name\r\n${names.map((name) => `a@example.com,${name}`).join('\r\n')}`
    for (const bytes of [Buffer.from(text), utf16(text), utf16(text, true)])
      expect((await read(bytes)).rows?.map(({ name }) => name)).toEqual(names)
  }
})
