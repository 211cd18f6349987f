import { readFile } from 'node:fs/promises'
import type { Plugin } from 'rolldown'

// The engine's types also hold conversations. A page never has one, and gets its words from the server.
const CONVERSATIONS =
  /\/survey-engine\/(?:words\/(?!message-keys)|language\/(?:reply-|commands\b)|types\/families\/options-in-replies\.ts)/
// The numbering plans of all countries are large. The page only checks the digits, and the server reads them again.
const NUMBERING_PLANS = '/survey-engine/model/phones.ts'

/** Leaves out of the survey engine whatever only a server needs. */
export const engineOfPages: Plugin = { name: 'engine-of-pages', load: withoutServerOnly }

async function withoutServerOnly(id: string): Promise<string | null> {
  const path = id.replaceAll('\\', '/')
  if (path.endsWith(NUMBERING_PLANS)) return "export { phoneDigits as normalisePhone } from './formats.ts'"
  if (!CONVERSATIONS.test(path)) return null
  const source = await readFile(id, 'utf8')
  return [...source.matchAll(/^export (function|const) (\w+)/gm)]
    .map(([, kind, name]) => `export const ${name} = ${kind === 'const' ? '{}' : '() => null'}`)
    .join('\n')
}
