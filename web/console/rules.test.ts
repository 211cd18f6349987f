import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'oxc-parser'
import { expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('../', import.meta.url))
const LANGUAGES = ['en', 'de', 'es', 'ar'] as const
const files = ['console', 'ui', 'api'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => !path.endsWith('.test.ts'))
    .map((path) => `${folder}/${path}`),
)
const textOf = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const code = files.filter((path) => /\.tsx?$/.test(path) && !path.endsWith('.d.ts'))
const styles = files.filter((path) => path.endsWith('.css'))

/** The folders of the texts, by the name that their keys begin with. */
const FOLDERS = new Map(
  [
    ...textOf('console/app/texts.ts').matchAll(
      /^ {2}'?([a-z-]+)'?: \{\n {4}en: \(\) => import\('([^']+)\/en\.json'\)/gm,
    ),
  ].map(([, name = '', folder = '']) => [name, join('console/app', folder)] as const),
)
const NAMES = [...FOLDERS.keys()]

function textsOf(name: string, language: string): Record<string, string> {
  return JSON.parse(textOf(`${FOLDERS.get(name)}/${language}.json`)) as Record<string, string>
}

test('every folder of texts has a name, and no two have the same', () => {
  const folders = files.filter((path) => path.endsWith('/en.json')).map((path) => join(path, '..'))
  expect(folders.length).toBeGreaterThan(30)
  expect([...FOLDERS.values()].toSorted()).toEqual(folders.toSorted())
})

test('the console has files to judge', () => {
  expect(code.length).toBeGreaterThan(40)
  expect(styles.length).toBeGreaterThan(5)
})

/** They name every screen. */
const COMPOSITION = new Set(['console/app/router.ts', 'console/app/texts.ts'])

test('a screen imports no other screen, and the parts import no screen', () => {
  const wrong = code.flatMap((path) => {
    const own = /^console\/screens\/([^/]+)\//.exec(path)?.[1]
    return [...textOf(path).matchAll(/(?:from|import\() ?'([^']+)'/g)].flatMap(([, to = '']) => {
      const target = to.startsWith('.') ? join(path, '..', to) : ''
      const screen = /^console\/screens\/([^/]+)\//.exec(target)?.[1]
      const isForeign = screen !== undefined && screen !== own && !COMPOSITION.has(path)
      const isUpwards = !path.startsWith('console/') && target.startsWith('console/')
      return isForeign || isUpwards ? [`${path} imports ${target}`] : []
    })
  })
  expect(wrong).toEqual([])
})

test('no style names a side: left and right change places in Arabic', () => {
  const sides =
    /(?<![\w-])(?:margin|padding|border|inset)-(?:left|right)|(?<![\w-])(?:left|right)\s*:|text-align:\s*(?:left|right)|(?:margin|padding)(?:Left|Right)\b/
  const wrong = [...styles, ...code].filter((path) => sides.test(textOf(path)))
  expect(wrong).toEqual([])
})

test('a class that begins a rule of one screen’s style begins none of another’s, since all of them load together', () => {
  const screensOf = new Map<string, Set<string>>()
  for (const path of styles) {
    const screen = /^console\/screens\/([^/]+)\//.exec(path)?.[1]
    if (screen === undefined) continue
    for (const [, name = ''] of textOf(path).matchAll(/^ *(\.[a-z][a-z0-9-]*)(?=[ >,{:])/gm))
      screensOf.set(name, (screensOf.get(name) ?? new Set()).add(screen))
  }
  expect(screensOf.size).toBeGreaterThan(20)
  expect([...screensOf].filter(([, screens]) => screens.size > 1)).toEqual([])
})

test('colours are named in the tokens alone', () => {
  const wrong = [...styles, ...code].filter(
    (path) =>
      path !== 'ui/tokens.css' && /#[0-9a-f]{3,8}\b(?!')/i.test(textOf(path).replaceAll(/querySelector[^)]*\)/g, '')),
  )
  expect(wrong).toEqual([])
})

test('no text that people read is in the code', () => {
  const wrong = code.filter((path) => path.endsWith('.tsx')).flatMap((path) => readTexts(path))
  expect(wrong).toEqual([])
})

test('every language has every text, with all of its plural forms', () => {
  for (const name of NAMES) {
    const english = keysOf(name, 'en')
    for (const language of LANGUAGES) {
      expect([...keysOf(name, language)].toSorted(), `${name} in ${language}`).toEqual([...english].toSorted())
      const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories
      const texts = textsOf(name, language)
      for (const key of Object.keys(texts).filter((each) => each.endsWith('_other')))
        for (const form of forms) expect(texts, `${name} in ${language}`).toHaveProperty([key.replace('other', form)])
    }
  }
})

test('a text has the same values in every language', () => {
  const valuesOf = (text: string) => [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, value]) => value).toSorted()
  for (const name of NAMES) {
    const english = textsOf(name, 'en')
    for (const language of LANGUAGES)
      for (const [key, text] of Object.entries(textsOf(name, language))) {
        const source = english[key] ?? english[key.replace(/_\w+$/, '_other')] ?? ''
        // A form for one or two says the number in words.
        const isWords = /_(?:zero|one|two)$/.test(key)
        const [own, expected] = [new Set(valuesOf(text)), new Set(valuesOf(source))]
        if (isWords)
          expect(
            [...own].filter((each) => !expected.has(each)),
            `${name}:${key} in ${language}`,
          ).toEqual([])
        else expect([...own], `${name}:${key} in ${language}`).toEqual([...expected])
      }
  }
})

/** Numbers before a plural that are never one. */
const ALWAYS_SEVERAL = {
  'a constant': [
    'agents:below_one',
    'agents:noRank',
    'agents:withoutText',
    'dashboards:fewest',
    'deliveries:next.last',
    'deliveries:next.more',
    'home:under',
    'invitations:remind',
    'people:tooLong',
    'settings:lede.builtInRoles',
    'settings:lede.roles_one',
    'surveys:under',
  ],
  'a score shows from 5 answers on': ['lede:alike', 'lede:score'],
  'one that fails is named': ['webhooks:lede.manyFail_one'],
}
// Verbs and other words in s that may follow a value.
const NO_PLURAL = /^(?:as|asks|becomes|contains|costs|counts|fails|gets|goes|has|is|leaves|ms|takes|waits|was|works)$/

test('a number before a noun has a text for one', () => {
  const isPlural = (text: string) =>
    [...text.matchAll(/\}\} (?:(?:\w+ed|new|open) )?(\w*[^\Ws]s|people)\b/g)].some(
      ([, noun = '']) => !NO_PLURAL.test(noun),
    )
  const plural = NAMES.flatMap((name) =>
    Object.entries(textsOf(name, 'en')).flatMap(([key, text]) =>
      !key.endsWith('_other') && isPlural(text) ? [`${name}:${key}`] : [],
    ),
  )
  expect(plural.toSorted()).toEqual(Object.values(ALWAYS_SEVERAL).flat().toSorted())
})

test('every text that the code names exists', () => {
  const missing = code.flatMap((path) =>
    [...textOf(path).matchAll(/'([a-z-]+):([\w.]+)'/g)].flatMap(([, name = '', key = '']) =>
      NAMES.includes(name) && !keysOf(name, 'en').has(key) ? [`${path} names ${name}:${key}`] : [],
    ),
  )
  expect(missing).toEqual([])
})

test('no text is left that nothing names', () => {
  const all = code.map(textOf).join('\n')
  const made = [...all.matchAll(/`([a-z-]+):((?:[\w.]|\$\{[^}`]*\})+)`/g)].map(([, name = '', key = '']) => ({
    name,
    isWhole: /^\$\{[^}]*\}$/.test(key),
    pattern: new RegExp(`^${key.replaceAll('.', '\\.').replaceAll(/\$\{[^}]*\}/g, '.+')}$`),
  }))
  const unused = NAMES.flatMap((name) =>
    [...keysOf(name, 'en')].flatMap((key) => {
      const family = key.replace(/\w+$/, '')
      // Where the whole key is handed in, the code has it elsewhere, or its beginning.
      const isHandedIn = all.includes(`'${key}'`) || (family !== '' && all.includes(`\`${family}\${`))
      const isNamed =
        all.includes(`${name}:${key}'`) ||
        made.some((text) => text.name === name && text.pattern.test(key) && (!text.isWhole || isHandedIn))
      return isNamed ? [] : [`${name}:${key}`]
    }),
  )
  expect(unused).toEqual([])
})

function keysOf(name: string, language: string): Set<string> {
  return new Set(
    Object.keys(textsOf(name, language)).map((key) => key.replace(/_(?:zero|one|two|few|many|other)$/, '')),
  )
}

interface Node {
  type: string
  value?: unknown
  name?: { name?: string }
  [member: string]: unknown
}

const READ = new Set(['aria-label', 'title', 'placeholder', 'alt', 'label'])
// The product's own name, keys of the keyboard, addresses and signs.
const FREE = /^(?:Earshot|Esc|https:\S+|[^\p{L}]*)$/u

function readTexts(path: string): string[] {
  const found: string[] = []
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(visit)
    if (node === null || typeof node !== 'object') return
    const { type, value, name } = node as Node
    if (type === 'JSXText' && typeof value === 'string' && !FREE.test(value.trim()))
      found.push(`${path}: ${value.trim()}`)
    const literal = (value as Node | undefined)?.value
    if (type === 'JSXAttribute' && READ.has(name?.name ?? '') && typeof literal === 'string' && !FREE.test(literal))
      found.push(`${path}: ${String(name?.name)}="${literal}"`)
    for (const member of Object.values(node)) visit(member)
  }
  visit(parseSync(path, textOf(path)).program)
  return found
}
