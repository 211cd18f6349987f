import { dirname, join, normalize } from 'node:path'

/** The files, scripts and settings that documents may name. */
export interface Subject {
  files: string[]
  npmScripts: string[]
  /** Names of environment variables that the code reads. */
  settings: string[]
}

const FENCE = /^(```|~~~)[^\n]*\n[\s\S]*?^\1[ \t]*$/gm
const LINK = /\[[^\]]*\]\(([^)\s]+)\)/g
const CODE = /`([^`\n]+)`/g
const PATH =
  /^(?:\.\/)?((?:[\w.@*-]+\/)*[\w.@*{},-]+\.(?:ts|sql|json|md|sh)|(?:src|docs|scripts|bench|torture|migrations|web|\.ci)(?:\/[\w.@*-]+)*\/?)$/
const HEADING = /^#{1,6} (.+)$/gm
// A comment may break a pointer over two lines.
const COMMENT_LINE = /\s*\n\s*(?:\*|\/\/|--) ?/g
const POINTER = /\b(docs\/[\w/-]+\.md)(?:, "([^"]+)")?/g
const NPM = /\bnpm (?:run ([\w:-]+)|(test|start)\b)/g
const SCREEN = /^\/app(?:\/[\w:-]+)*$/
const OPERATION = /^[a-z]+(?:[A-Z][a-z]*)+$/
const API = /(?:^|[ (])(\/v1\/[^\s)]*)/g
// A path of the project, of the console or of the API, as the text of a program names it.
const NAME =
  /['"`](?:(?:GET|POST|PUT|PATCH|DELETE) )?((?:(?:src|web|scripts|bench|torture|docs|migrations)\/|\/(?:app|v1)\/)[^'"`\s*]*)['"`]/g
// The path of a call in an example.
const COMMAND = /"\$BASE(\/v1\/[^\s"?]*)/g
const SETTING = /(?:^|[^\w])([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?:=|$|[^\w])/g

/** Paths, npm scripts and settings in a document that do not exist. */
export function brokenReferences(path: string, text: string, subject: Subject): string[] {
  const prose = text.replace(FENCE, '')
  const broken: string[] = []
  for (const [, target = ''] of prose.matchAll(LINK)) {
    if (/^[a-z]+:|^#|^\//.test(target)) continue
    const file = normalize(join(dirname(path), target.replace(/#.*$/, '')))
    if (!exists(file, subject.files)) broken.push(`${path} links to ${target}, which does not exist`)
  }
  for (const [, code = ''] of prose.matchAll(CODE)) {
    const named = PATH.exec(code)?.[1]
    if (named && !isNamed(named, subject.files)) broken.push(`${path} names the file ${code}, which does not exist`)
    for (const [, setting = ''] of code.matchAll(SETTING))
      if (!isSetting(setting, subject)) broken.push(`${path} names the setting ${setting}, which nothing reads`)
  }
  for (const [, script, short = ''] of text.matchAll(NPM)) {
    const name = script ?? short
    if (!subject.npmScripts.includes(name)) broken.push(`${path} names the npm script ${name}, which does not exist`)
  }
  return broken
}

/** The headings of a document. */
export function headingsOf(text: string): string[] {
  return [...text.replace(FENCE, '').matchAll(HEADING)].map(([, heading = '']) => heading)
}

/** Pointers of code such as `docs/specification.md, "Retries"` whose document or heading does not exist. */
export function brokenPointers(path: string, text: string, headings: Map<string, string[]>): string[] {
  const broken: string[] = []
  for (const [, document = '', heading] of text.replace(COMMENT_LINE, ' ').matchAll(POINTER)) {
    const known = headings.get(document)
    if (!known) broken.push(`${path} points to ${document}, which does not exist`)
    else if (heading !== undefined && !known.includes(heading))
      broken.push(`${path} points to "${heading}", which is no heading of ${document}`)
  }
  return broken
}

/** The screens of the console and the operations of the API. */
export interface Places {
  /** Paths such as `/app/surveys/$surveyId/build`. */
  screens: string[]
  operations: string[]
  /** Paths of the API, such as `/v1/surveys/{id}`. */
  paths: string[]
}

/** Files, screens and paths of the API that the strings of a program name and that do not exist. */
export function brokenNames(path: string, text: string, files: string[], { screens, paths }: Places): string[] {
  return [...text.matchAll(NAME)].flatMap(([, written = '']) => {
    const name = written.replace(/\$\{[^}]*\}/g, '$x').replace(/[?#].*$/, '')
    const isThere = name.startsWith('/app')
      ? isOneOf(name, screens)
      : name.startsWith('/v1')
        ? isOneOf(name, paths)
        : name.includes('$x') || exists(name, files) || files.some((file) => file.startsWith(`${name}.`))
    return isThere ? [] : [`${path} names ${written}, which does not exist`]
  })
}

/**
 * npm scripts that run a file of the project that does not exist. A built file comes from one beside the server or in
 * scripts/.
 */
export function brokenScripts(scripts: Record<string, string>, files: string[]): string[] {
  return Object.entries(scripts).flatMap(([name, command]) =>
    [...command.matchAll(/(?:^|\s)((?:scripts|bench|torture|dist\/server)\/[\w./-]+)/g)].flatMap(([, file = '']) => {
      const sources = [
        file,
        ...['src', 'scripts'].map((folder) => file.replace(/^dist\/server\/(.*)\.js$/, `${folder}/$1.ts`)),
      ]
      return sources.some((each) => files.includes(each))
        ? []
        : [`package.json runs ${file}, which does not exist: ${name}`]
    }),
  )
}

/** Whether a path is among these. A parameter such as `:id` stands for any part. */
function isOneOf(name: string, known: string[]): boolean {
  const parts = name.split('/')
  const isAny = (part: string) => /^[$:{<]|…/.test(part)
  return known.some((each) => {
    const own = each.split('/')
    return (
      own.length === parts.length &&
      own.every((part, at) => isAny(part) || part === parts[at] || isAny(parts[at] ?? ''))
    )
  })
}

/** Screens in a document that do not exist, and operations beside a screen in a row of a table that do not. */
export function brokenPlaces(path: string, text: string, { screens, operations, paths }: Places): string[] {
  const known = new Set(screens.map((screen) => screen.replace(/\$\w+/g, ':id')))
  const commands = [...text.matchAll(COMMAND)].map(([, called = '']) => called)
  const gone = commands.filter((each) => !isOneOf(each.replace(/\$\w+/g, '$x'), paths))
  const named = text
    .replace(FENCE, '')
    .split('\n')
    .flatMap((line) => {
      const codes = [...line.matchAll(CODE)].map(([, code = '']) => code)
      const named = codes.filter((code) => SCREEN.test(code))
      const asked = codes.flatMap((code) =>
        [...code.matchAll(API)].map(([, asked = '']) => asked.replace(/[?#].*$/, '')),
      )
      const calls = line.startsWith('|') && named.length > 0 ? codes.filter((code) => OPERATION.test(code)) : []
      return [
        ...named
          .filter((screen) => !known.has(screen))
          .map((screen) => `${path} names the screen ${screen}, which does not exist`),
        ...calls
          .filter((call) => !operations.includes(call))
          .map((call) => `${path} names the operation ${call}, which does not exist`),
        ...asked
          .filter((each) => !isOneOf(each, paths))
          .map((each) => `${path} names the path ${each}, which does not exist`),
      ]
    })
  return [...named, ...gone.map((each) => `${path} calls the path ${each}, which does not exist`)]
}

/** Settings that a document should list and does not. */
export function missingSettings(path: string, text: string, settings: string[]): string[] {
  return settings
    .filter((name) => !new RegExp(`\`${name}[\`=]`).test(text))
    .map((name) => `${path} does not list the setting ${name}`)
}

// `S3_…` and `RETENTION_*` name a family.
function isSetting(name: string, { settings }: Subject): boolean {
  return settings.includes(name) || settings.some((setting) => name.endsWith('_') && setting.startsWith(name))
}

function exists(file: string, files: string[]): boolean {
  const plain = file.replace(/\/$/, '')
  return files.includes(plain) || files.some((known) => known.startsWith(`${plain}/`))
}

// A name such as `webhooks.store.ts` or `*.store.ts` stands for whichever folder holds one.
function isNamed(name: string, files: string[]): boolean {
  if (!/[*{]/.test(name)) return exists(name, files) || files.some((known) => known.endsWith(`/${name}`))
  const escaped = name
    .replace(/[.]/g, '\\.')
    .replaceAll('*', '[^/]*')
    .replace(/\{([^}]*)\}/g, (_, options: string) => `(?:${options.replaceAll(',', '|')})`)
  return files.some((known) => new RegExp(`(?:^|/)${escaped}$`).test(known))
}
