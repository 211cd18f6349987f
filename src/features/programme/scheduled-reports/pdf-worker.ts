import { parentPort } from 'node:worker_threads'
// @ts-expect-error It has no types.
import untyped from 'pdfmake'
import { ROBOTO } from '../../../platform/look/fonts.ts'
import type { Letter } from './letter.ts'
import { LIGHT } from '../../../platform/look/tokens.ts'

interface PdfMake {
  addFonts(fonts: unknown): void
  setUrlAccessPolicy(policy: () => boolean): void
  setLocalAccessPolicy(policy: (path: string) => boolean): void
  createPdf(document: object): { getBuffer(): Promise<Buffer> }
}

/** The parts of a letter that a document shows. */
export type Printed = Pick<Letter, 'title' | 'period' | 'parts'>

const pdfmake = untyped as PdfMake
pdfmake.addFonts({ Roboto: ROBOTO })
// A document holds all that it shows. Only its fonts are read from files.
pdfmake.setUrlAccessPolicy(() => false)
pdfmake.setLocalAccessPolicy((path) => path.endsWith('.ttf'))

parentPort?.on('message', (letter: Printed) => {
  void pdfOf(letter).then((base64) => parentPort?.postMessage(base64))
})

async function pdfOf({ title, period, parts }: Printed): Promise<string> {
  const content = [
    { text: title, fontSize: 20, margin: [0, 0, 0, 4] },
    { text: period, color: LIGHT.soft },
    ...parts.map(({ title: heading, picture, figure, notes, rows }) => ({
      // A heading goes to the next page with what it names. A long table may be divided.
      unbreakable: rows.length === 0 || picture !== null,
      stack: [
        { text: heading, fontSize: 13, bold: true, margin: [0, 16, 0, 6] },
        ...(figure === null ? [] : [{ text: figure, fontSize: 20 }]),
        ...(picture ? [{ image: `data:image/png;base64,${picture.base64}`, width: 500 }] : []),
        ...(figure === null && !picture
          ? [
              rows.length > 0
                ? { layout: 'lightHorizontalLines', table: { widths: ['*', 'auto', 'auto'], body: rows } }
                : { text: '–' },
            ]
          : []),
        ...notes.map((text) => ({ text, color: LIGHT.soft })),
      ],
    })),
  ]
  const document = {
    info: { title },
    language: 'en',
    content,
    defaultStyle: { font: 'Roboto', fontSize: 10 },
  }
  return (await pdfmake.createPdf(document).getBuffer()).toString('base64')
}
