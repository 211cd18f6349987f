import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import type { ExportLine } from '../../../../platform/export-source.ts'
import type { NamedColumn } from '../definition/definition.ts'
import { piecesOf, typedValue, type Batches, type Write } from './cells.ts'

const LONGEST_CELL = 32_767
const DAY_MS = 86_400_000
// Days are counted from here.
const EPOCH_MS = Date.UTC(1899, 11, 30)
const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** Lines of a sheet below its header. */
const MOST_LINES = 1_048_575

// Style 1 shows a time.
const STYLES = `${HEAD}<styleSheet xmlns="${MAIN}"><numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts><fonts count="1"><font><sz val="11"/><name val="Calibri"/></font></fonts><fills count="1"><fill><patternFill patternType="none"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="2"><xf xfId="0"/><xf numFmtId="164" xfId="0" applyNumberFormat="1"/></cellXfs></styleSheet>`

/**
 * A workbook whose lines fill one sheet after another. Texts are string cells, which no spreadsheet runs. It is written
 * as it is read: the libraries for this hold a whole sheet in memory.
 */
export const writeXlsx: Write = (columns, batches) => workbookOf(columns, batches, MOST_LINES)

/** @param mostLines of a sheet. Tests make it small. */
export async function* workbookOf(
  columns: NamedColumn[],
  batches: Batches,
  mostLines: number,
): AsyncGenerator<Uint8Array> {
  const zip = new ZipFile()
  const mtime = new Date(0)
  const output = zip.outputStream as Readable
  const left = new Lines(batches)
  const addSheet = (n: number) => {
    const sheet = Readable.from(sheetOf(columns, left, mostLines))
    // The error of the rows ends the file.
    sheet.on('error', (error) => output.destroy(error))
    sheet.on('end', () => {
      left.isOver().then(
        (isOver) => (isOver ? finish(n) : addSheet(n + 1)),
        (error: Error) => output.destroy(error),
      )
    })
    zip.addReadStream(sheet, `xl/worksheets/sheet${n}.xml`, { mtime })
  }
  const finish = (sheets: number) => {
    for (const [name, text] of Object.entries(filesFor(sheets))) zip.addBuffer(Buffer.from(text), name, { mtime })
    zip.end()
  }
  addSheet(1)
  for await (const chunk of output) yield chunk as Buffer
}

function filesFor(sheets: number): Record<string, string> {
  const each = (write: (n: number) => string) => Array.from({ length: sheets }, (_, at) => write(at + 1)).join('')
  const sheetTypes = each(
    (n) => `<Override PartName="/xl/worksheets/sheet${n}.xml" ContentType="${TYPE}.worksheet+xml"/>`,
  )
  const names = each((n) => `<sheet name="Export${n === 1 ? '' : ` ${n}`}" sheetId="${n}" r:id="rId${n}"/>`)
  const relations = each(
    (n) => `<Relationship Id="rId${n}" Type="${OFFICE}/worksheet" Target="worksheets/sheet${n}.xml"/>`,
  )
  return {
    '[Content_Types].xml': `${HEAD}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/>${sheetTypes}<Override PartName="/xl/styles.xml" ContentType="${TYPE}.styles+xml"/></Types>`,
    '_rels/.rels': `${HEAD}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${names}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${HEAD}<Relationships xmlns="${PACKAGE}/relationships">${relations}<Relationship Id="rId${sheets + 1}" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`,
    'xl/styles.xml': STYLES,
  }
}

/** The lines of all batches, of which each sheet takes as many as it holds. */
class Lines {
  readonly #batches: AsyncIterator<Iterable<ExportLine>>
  #batch: Iterator<ExportLine> = [].values()
  #waiting: ExportLine | undefined

  constructor(batches: Batches) {
    this.#batches = batches[Symbol.asyncIterator]()
  }

  /** At most so many lines. */
  async *take(most: number): AsyncGenerator<Iterable<ExportLine>> {
    let room = most
    const hasRoom = () => room-- > 0
    while (room > 0 && !(await this.isOver())) yield this.#ofBatch(hasRoom)
  }

  *#ofBatch(hasRoom: () => boolean): Generator<ExportLine> {
    for (; this.#waiting && hasRoom(); this.#waiting = this.#batch.next().value) yield this.#waiting
  }

  async isOver(): Promise<boolean> {
    while (!this.#waiting) {
      this.#waiting = this.#batch.next().value
      if (this.#waiting) return false
      const { done, value } = await this.#batches.next()
      if (done) return true
      this.#batch = value[Symbol.iterator]()
    }
    return false
  }
}

async function* sheetOf(columns: NamedColumn[], left: Lines, mostLines: number): AsyncGenerator<Buffer> {
  yield Buffer.from(
    `${HEAD}<worksheet xmlns="${MAIN}"><sheetData><row>${columns.map(({ header }) => textCell(header)).join('')}</row>`,
  )
  yield* piecesOf(
    left.take(mostLines),
    (line) => `<row>${columns.map((column, at) => cellOf(column, line[at])).join('')}</row>`,
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
