import { fileURLToPath } from 'node:url'

/** Paths of the font of pictures and documents that are made here. */
export const ROBOTO = {
  normal: fileURLToPath(new URL('../../../node_modules/pdfmake/fonts/Roboto/Roboto-Regular.ttf', import.meta.url)),
  bold: fileURLToPath(new URL('../../../node_modules/pdfmake/fonts/Roboto/Roboto-Medium.ttf', import.meta.url)),
  italics: fileURLToPath(new URL('../../../node_modules/pdfmake/fonts/Roboto/Roboto-Italic.ttf', import.meta.url)),
  bolditalics: fileURLToPath(
    new URL('../../../node_modules/pdfmake/fonts/Roboto/Roboto-MediumItalic.ttf', import.meta.url),
  ),
}
