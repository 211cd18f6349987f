import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import type { ExportLine } from '../../../../platform/export-source.ts'
import type { NamedColumn } from '../definition/definition.ts'
import { typedValue, type Write } from './cells.ts'

const LONGEST_CELL = 32_767
const DAY_MS = 86_400_000
// Days are counted from here.
const EPOCH_MS = Date.UTC(1899, 11, 30)
const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

const FILES = {
  '[Content_Types].xml': `${HEAD}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPE}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${TYPE}.styles+xml"/></Types>`,
  '_rels/.rels': `${HEAD}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  'xl/workbook.xml': `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets><sheet name="Export" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': `${HEAD}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`,
  // Style 1 shows a time.
  'xl/styles.xml': `${HEAD}<styleSheet xmlns="${MAIN}"><numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts><fonts count="1"><font><sz val="11"/><name val="Calibri"/></font></fonts><fills count="1"><fill><patternFill patternType="none"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="2"><xf xfId="0"/><xf numFmtId="164" xfId="0" applyNumberFormat="1"/></cellXfs></styleSheet>`,
}

/**
 * A workbook with one sheet. Texts are string cells, which no spreadsheet runs. It is written as it is read: the
 * libraries for this hold a whole sheet in memory.
 */
export const writeXlsx: Write = async function* (columns, batches) {
  const zip = new ZipFile()
  const mtime = new Date(0)
  for (const [name, text] of Object.entries(FILES)) zip.addBuffer(Buffer.from(text), name, { mtime })
  const sheet = Readable.from(sheetOf(columns, batches))
  // The error of the rows ends the file.
  sheet.on('error', (error) => (zip.outputStream as Readable).destroy(error))
  zip.addReadStream(sheet, 'xl/worksheets/sheet1.xml', { mtime })
  zip.end()
  for await (const chunk of zip.outputStream) yield chunk as Buffer
}

async function* sheetOf(columns: NamedColumn[], batches: AsyncIterable<ExportLine[]>): AsyncGenerator<Buffer> {
  yield Buffer.from(
    `${HEAD}<worksheet xmlns="${MAIN}"><sheetData><row>${columns.map(({ header }) => textCell(header)).join('')}</row>`,
  )
  for await (const lines of batches)
    yield Buffer.from(
      lines.map((line) => `<row>${columns.map((column, at) => cellOf(column, line[at])).join('')}</row>`).join(''),
    )
  yield Buffer.from('</sheetData></worksheet>')
}

function cellOf(column: NamedColumn, value: unknown): string {
  const typed = typedValue(column, value)
  if (typed === null) return '<c/>'
  if (typeof typed === 'number') return `<c><v>${typed}</v></c>`
  if (typeof typed === 'boolean') return `<c t="b"><v>${Number(typed)}</v></c>`
  if (typed instanceof Date) return `<c s="1"><v>${(typed.getTime() - EPOCH_MS) / DAY_MS}</v></c>`
  return textCell(typed)
}

function textCell(text: string): string {
  return `<c t="inlineStr"><is><t xml:space="preserve">${escaped(text.slice(0, LONGEST_CELL))}</t></is></c>`
}

const SIGNS: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** XML takes no other control characters; the format writes them as `_xHHHH_`, and so it escapes what looks so. */
function escaped(text: string): string {
  return text
    .replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
    .replace(/[&<>]/g, (sign) => SIGNS[sign] ?? sign)
    .replace(/\p{Cc}|[\uFFFE\uFFFF]/gu, (sign) => (isPlain(sign) ? sign : `_x${hex(sign)}_`))
    .replace(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g, '\uFFFD')
}

function hex(sign: string): string {
  return sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')
}

function isPlain(sign: string): boolean {
  return sign === '\t' || sign === '\n' || (sign > '\u001F' && sign < '\uFFFE')
}
