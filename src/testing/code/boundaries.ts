import { DISTRICTS } from './districts.ts'
import type { Import, SourceFile } from './imports.ts'

const COMPOSITION = [
  'app',
  'services',
  'worker',
  'server',
  'listener',
  'main',
  'identity',
  'features',
  'providers',
  'version',
].map((name) => `${name}.ts`)
const SUFFIXES = ['schema', 'entity', 'store', 'service', 'routes', 'page', 'feature'] as const
const FOLDERS = ['platform', 'http', 'adapters', 'survey-engine'] as const
/** The rooms of the survey engine, from the ground up: a room imports itself and those before it. */
export const ROOMS = [
  ['words'],
  ['model'],
  ['language'],
  ['types'],
  ['metrics'],
  ['logic'],
  ['checks'],
  ['talk'],
  ['forms'],
]

type Kind =
  | (typeof SUFFIXES)[number]
  | (typeof FOLDERS)[number]
  | 'pure'
  | 'engine'
  | 'wire'
  | 'composition'
  | 'test'
  | 'stray'

/** A target is a folder, a file, or `own <kind>` and `other <kind>` of features; `*` is anything but tests. */
interface Rule {
  files: string[]
  packages: string[]
}

// Libraries that compute and touch nothing outside.
const COMPUTING = [
  '@napi-rs/image',
  '@orama/stemmers',
  '@resvg/resvg-js',
  'bowser',
  'canonicalize',
  'countries-and-timezones',
  'croner',
  'csv-parse',
  'echarts',
  'franc-min',
  'isbot',
  'htmlparser2',
  'hyparquet-writer',
  'libphonenumber-js',
  'liquidjs',
  'lru-cache',
  'luxon',
  'omggif',
  'pdfmake',
  'porter2',
  'uqr',
  'yazl',
]
const PURE_TARGETS = ['own pure', 'own schema', 'own entity', 'survey-engine']

const RULES: Record<Exclude<Kind, 'test' | 'stray'>, Rule> = {
  platform: {
    files: ['platform'],
    packages: ['node', 'croner', 'kysely', 'lru-cache', 'p-limit', 'pino', 'prom-client', 'uuidv7', 'zod'],
  },
  http: {
    files: ['platform', 'http'],
    packages: [
      'node',
      'hono',
      'zod',
      '@asteasolutions/zod-to-openapi',
      '@streamparser/json',
      'p-limit',
      'prom-client',
      'rate-limiter-flexible',
    ],
  },
  adapters: { files: ['platform', 'own adapters', 'own wire'], packages: ['*'] },
  // The form in which a provider posts to us, which the routes of its callbacks show in the reference.
  wire: { files: [], packages: ['zod'] },
  // Pages have neither: their language is chosen, and they only check the digits (scripts/build/web.ts).
  'survey-engine': {
    files: ['survey-engine', 'platform/text/formats.ts', 'platform/text/normal-form.ts'],
    packages: ['@formatjs/intl-localematcher', 'libphonenumber-js'],
  },
  schema: {
    files: [
      ...PURE_TARGETS,
      'other schema',
      'event-types.ts',
      'response-state.ts',
      'http/routes/pagination.ts',
      'http/problems/problem-body.ts',
      'platform/audit-entry.ts',
      'platform/topics.ts',
      'platform/fields/lists.ts',
      'platform/fields/parts.ts',
      'platform/filter/schema.ts',
      'platform/schemas/line-schema.ts',
      'platform/look/look-schema.ts',
      'platform/ids.ts',
      'platform/instant.ts',
      'platform/permissions.ts',
      'platform/ports/provider.ts',
      'platform/readers.ts',
      'platform/schemas/secret-schema.ts',
      'platform/time-zones.ts',
      // Its library takes more than every cron has.
      'platform/work/cron.ts',
    ],
    packages: ['zod'],
  },
  entity: { files: [...PURE_TARGETS, 'other pure', 'other schema', 'platform'], packages: [] },
  pure: {
    files: [...PURE_TARGETS, 'other pure', 'other entity', 'http/problems/problem.ts', 'platform'],
    packages: ['node', 'zod', 'prom-client', ...COMPUTING],
  },
  store: { files: [...PURE_TARGETS, 'other entity', 'response-state.ts', 'platform'], packages: [] },
  service: {
    files: [
      ...PURE_TARGETS,
      'own store',
      'own service',
      'other service',
      'other schema',
      'other entity',
      'other pure',
      'http/problems/problem.ts',
      'http/routes/pagination.ts',
      'platform',
    ],
    packages: ['node', '@node-rs/argon2', 'p-limit', 'zod', 'uuidv7'],
  },
  engine: { files: ['own service', 'own store', 'own pure', 'platform'], packages: ['node'] },
  routes: {
    files: [...PURE_TARGETS, 'own service', 'own routes', 'own page', 'other schema', 'other wire', 'http', 'platform'],
    packages: ['hono', 'zod', 'node'],
  },
  page: { files: [...PURE_TARGETS, 'own page', 'platform'], packages: ['hono', 'node'] },
  feature: { files: ['own *', 'other entity', 'http/routes/route.ts', 'platform'], packages: [] },
  composition: { files: ['*'], packages: ['node', 'hono', '@hono/node-server', 'prom-client'] },
}

// Which names of the database module give the power to write SQL, and to open a transaction.
const GUARDED = [
  {
    names: ['sql', 'json', 'RawBuilder'],
    kinds: ['store', 'entity', 'platform'],
    also: ['http/idempotency/idempotency.store.ts', 'http/limits/rate-limit.ts'],
  },
  {
    names: ['tenantTransaction', 'tenantReading', 'systemTransaction'],
    kinds: ['platform', 'service', 'composition'],
    also: ['http/idempotency/idempotency.ts'],
  },
] satisfies Array<{ names: string[]; kinds: Kind[]; also: string[] }>

/** The files that the rules name, by their path or by their name alone. */
export const NAMED_FILES = [...Object.values(RULES), ...GUARDED.map(({ also }) => ({ files: also }))]
  .flatMap(({ files }) => files)
  .filter((file) => file.endsWith('.ts'))

export function violations(source: SourceFile): string[] {
  const kind = kindOf(source.path)
  if (kind === 'stray') return [`${source.path} is in no folder of the architecture`]
  if (kind === 'test') return []
  const rule = RULES[kind]
  const bad = source.imports.filter(
    (imported) =>
      !(imported.local
        ? mayReach(source.path, imported, rule, kind)
        : rule.packages.some((name) => name === '*' || name === imported.to)),
  )
  return bad.map(
    ({ to, names }) => `${source.path} (${kind}) imports ${to}${names.length > 0 ? ` {${names.join(', ')}}` : ''}`,
  )
}

function mayReach(path: string, { to, names }: Import, rule: Rule, kind: Kind): boolean {
  const target = kindOf(to)
  if (target === 'test' || target === 'stray') return false
  if (to === 'platform/database/database.ts') {
    const wholesale = names.length === 0 && kind !== 'platform'
    const unguarded = GUARDED.some(
      (guard) =>
        names.some((name) => guard.names.includes(name)) &&
        !guard.kinds.some((allowed) => allowed === kind) &&
        !guard.also.includes(path),
    )
    if (wholesale || unguarded || kind === 'pure') return false
  }
  const own = folderOf(path) === folderOf(to) ? 'own' : 'other'
  const labels = [
    '*',
    to,
    target,
    `${own} ${target}`,
    `${own} *`,
    to.startsWith('features/') ? (to.split('/').at(-1) ?? '') : '',
  ]
  if (floorOf(to) > floorOf(path)) return false
  if (kind === 'survey-engine' && roomOf(to) > roomOf(path)) return false
  if (target === 'adapters' && own === 'other') return rule.files.includes('*')
  return rule.files.some((allowed) => labels.includes(allowed))
}

export function kindOf(path: string): Kind {
  if (/\.(test|fixture)\.ts$/.test(path) || path.startsWith('testing/')) return 'test'
  if (COMPOSITION.includes(path)) return 'composition'
  const [top = '', ...rest] = path.split('/')
  if (top === 'features' && (rest.length === 3 || rest.length === 4) && DISTRICTS.includes(rest[0] ?? ''))
    return (
      SUFFIXES.find((suffix) => path.endsWith(`.${suffix}.ts`)) ?? (path.endsWith('-engine.ts') ? 'engine' : 'pure')
    )
  if (top === 'survey-engine') return roomOf(path) === -1 ? 'stray' : 'survey-engine'
  if (top === 'adapters' && rest.length > 1 && path.endsWith('.wire.ts')) return 'wire'
  return FOLDERS.find((folder) => folder === top && rest.length > 0) ?? 'stray'
}

function folderOf(path: string): string {
  return path
    .split('/')
    .slice(0, path.startsWith('features/') ? 3 : 2)
    .join('/')
}

/**
 * Which district a file stands in, counted from the top; what is under no district is above them all or, like `app.ts`,
 * below.
 */
function floorOf(path: string): number {
  if (COMPOSITION.includes(path)) return DISTRICTS.length
  return path.startsWith('features/') ? DISTRICTS.indexOf(path.split('/')[1] ?? '') : -1
}

function roomOf(path: string): number {
  return ROOMS.findIndex((rooms) => rooms.includes(path.split('/')[1] ?? ''))
}

/** Features as if each were one file. */
export function featuresOf(files: SourceFile[]): SourceFile[] {
  const inFeatures = files.filter(({ path }) => path.startsWith('features/') && kindOf(path) !== 'test')
  return [...Map.groupBy(inFeatures, ({ path }) => folderOf(path))].map(([path, own]) => ({
    path,
    imports: own
      .flatMap(({ imports }) => imports.map((imported) => ({ ...imported, to: folderOf(imported.to) })))
      .filter(({ to }) => to.startsWith('features/') && to !== path),
  }))
}

/** The folders that are divided into rooms, each with its rooms. */
export function dividedFolders(files: SourceFile[]): Map<string, string[]> {
  const rooms = new Map<string, Set<string>>()
  for (const { path } of files.filter(({ path }) => kindOf(path) !== 'test')) {
    const folders = path.split('/').slice(0, -1)
    for (const [at, room] of folders.entries())
      if (at > 0) {
        const folder = folders.slice(0, at).join('/')
        rooms.set(folder, (rooms.get(folder) ?? new Set()).add(room))
      }
  }
  return new Map([...rooms].filter(([, each]) => each.size > 1).map(([folder, each]) => [folder, [...each].toSorted()]))
}

/** The rooms of a folder as if each were one file, and with `beside` also the files beside its rooms. */
export function roomsAsFiles(files: SourceFile[], folder: string, options?: { beside: boolean }): SourceFile[] {
  const placeOf = (path: string) => {
    const [place = '', ...rest] = path.startsWith(`${folder}/`) ? path.slice(folder.length + 1).split('/') : []
    return rest.length > 0 || options?.beside ? place : ''
  }
  const own = files.filter(({ path }) => placeOf(path) !== '' && kindOf(path) !== 'test')
  return [...Map.groupBy(own, ({ path }) => placeOf(path))].map(([place, within]) => ({
    path: `${folder}/${place}`,
    imports: within
      .flatMap(({ imports }) => imports.map((imported) => ({ ...imported, to: placeOf(imported.to) })))
      .filter(({ to }) => to !== '' && to !== place)
      .map((imported) => ({ ...imported, to: `${folder}/${imported.to}` })),
  }))
}

export function cycles(files: SourceFile[]): string[] {
  const graph = new Map(files.map((file) => [file.path, file.imports.filter(({ local }) => local).map(({ to }) => to)]))
  const found: string[] = []
  const finished = new Set<string>()
  const trail: string[] = []
  const visit = (path: string) => {
    if (finished.has(path)) return
    if (trail.includes(path)) return void found.push([...trail.slice(trail.indexOf(path)), path].join(' > '))
    trail.push(path)
    for (const next of graph.get(path) ?? []) visit(next)
    trail.pop()
    finished.add(path)
  }
  for (const path of graph.keys()) visit(path)
  return found
}

// A source archive has no git: then what was read is held against the plain minimum alone.
