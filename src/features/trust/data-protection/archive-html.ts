import { STORES, type StoreName } from '../../../platform/personal.ts'
import type { About, Stores } from './archive-document.ts'

const STYLE =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1a1a1a}' +
  'h2{margin-top:2.5rem}article{border:1px solid #ccc;border-radius:6px;padding:.5rem 1rem;margin:1rem 0}' +
  'dl{display:grid;grid-template-columns:minmax(8rem,14rem) 1fr;gap:.25rem 1rem;margin:.25rem 0}' +
  'dt{color:#555}dd{margin:0;overflow-wrap:anywhere;white-space:pre-wrap}ol{margin:0;padding-left:1.2rem}'

/** The archive as a page that needs no server and runs nothing, one piece after another. */
export async function* writeHtml(about: About, stores: Stores): AsyncGenerator<string> {
  yield `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">`
  yield `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`
  yield `<title>Your data at ${escape(about.workspace)}</title><style>${STYLE}</style></head><body>`
  yield `<h1>Your data at ${escape(about.workspace)}</h1>`
  yield `<p>Made on ${escape(about.created_at)} for request ${escape(about.request_id)}. The file archive.json holds the same for programs.</p>`
  yield `<p>Found by: ${about.addresses.map(({ address }) => escape(address)).join(', ') || 'your responses'}.</p>`
  let isEmpty = true
  for (const [name, { title }] of Object.entries(STORES)) {
    let heading = `<h2>${title}</h2>`
    for await (const record of stores.get(name as StoreName)?.() ?? []) {
      yield `${heading}<article>${valueOf(record)}</article>`
      heading = ''
      isEmpty = false
    }
  }
  if (isEmpty) yield '<p>Nothing is stored about you.</p>'
  yield '</body></html>\n'
}

function valueOf(value: unknown): string {
  if (Array.isArray(value)) return `<ol>${value.map((item) => `<li>${valueOf(item)}</li>`).join('')}</ol>`
  if (typeof value !== 'object' || value === null) return escape(String(value))
  const rows = Object.entries(value).filter(([, item]) => item !== null && item !== undefined && !isEmptyList(item))
  return `<dl>${rows.map(([name, item]) => `<dt>${escape(name.replaceAll('_', ' '))}</dt><dd>${valueOf(item)}</dd>`).join('')}</dl>`
}

function isEmptyList(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}

function escape(text: string): string {
  const names: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
  return text.replace(/[&<>"']/g, (sign) => names[sign] ?? sign)
}
