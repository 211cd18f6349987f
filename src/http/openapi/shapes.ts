import { isNull, mapInside, pascal, tagOf, type Document, type Media, type Schema } from './schema.ts'
import { plainSchema } from './plain-schemas.ts'

interface Place {
  schema: Schema
  /** The schema, without the words about this place. */
  key: string
  parent: Place | null
  suffix: string
  /** The name of the property, of the list or of the parameter. */
  property: string
  /** True if it has a component of its own even if it is here only. */
  isNamed: boolean
}

/**
 * Gives each schema that occurs twice, each branch of a union and each body a component of its own: generators make one
 * type of each component, and make up names for the rest. Why: docs/decisions/0048-openapi-for-generators.md.
 */
export function nameShapes(document: Document): void {
  const { schemas } = document.components
  for (const [name, schema] of Object.entries(schemas)) schemas[name] = plainSchema(schema, true)
  eachMedia(document, (media) => ({ ...media, ...(media.schema && { schema: plainSchema(media.schema, true) }) }))
  eachParameter(document, (schema) => plainSchema(schema, false))

  const places: Place[] = []
  for (const [name, schema] of Object.entries(schemas)) collect(places, { ...rootOf(schema, name), isNamed: false })
  const shapes = Object.entries(schemas).filter(([, schema]) => isShape(schema))
  const ownNames = new Map(shapes.map(([name, schema]) => [keyOf(schema), name]))
  eachMedia(document, (media, name) => {
    if (media.schema) collect(places, rootOf(media.schema, name))
    return media
  })
  eachParameter(document, (schema, name, property) => {
    collect(places, { ...rootOf(schema, name), property, isNamed: false })
    return schema
  })
  const names = namesFor(places, ownNames)
  const lift = (schema: Schema, isBranch = false, isComponent = false): Schema => {
    const name = isComponent ? undefined : names.get(keyOf(schema, isBranch))
    const branches = schema.anyOf ?? schema.oneOf ?? []
    const inner = withTag(
      schema,
      mapInside(schema, (each) => lift(each, branches.includes(each))),
    )
    if (name === undefined) return inner
    schemas[name] ??= bare(inner)
    const { description } = schema
    return {
      $ref: `#/components/schemas/${name}`,
      ...(description !== undefined && description !== schemas[name].description && { description }),
      ...(schema.default !== undefined && { default: schema.default }),
    }
  }
  for (const [name, schema] of Object.entries(schemas)) schemas[name] = lift(schema, false, true)
  eachMedia(document, (media) => ({ ...media, ...(media.schema && { schema: lift(media.schema) }) }))
  eachParameter(document, (schema) => lift(schema))
  document.components.schemas = Object.fromEntries(Object.entries(schemas).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

function rootOf(schema: Schema, name: string): Place {
  return {
    schema,
    key: keyOf(schema),
    parent: null,
    suffix: name,
    property: '',
    isNamed: schema.properties !== undefined,
  }
}

function collect(places: Place[], place: Place): void {
  if (place.schema.$ref) return
  places.push(place)
  const isUnion = place.schema.anyOf ?? place.schema.oneOf
  mapInside(place.schema, (schema, suffix, property) => {
    const isBranch = isUnion?.includes(schema) ?? false
    collect(places, {
      schema,
      key: keyOf(schema, isBranch),
      parent: place,
      suffix,
      property: isBranch ? '' : (property ?? singular(place.property)),
      isNamed: isBranch && !isNull(schema),
    })
    return schema
  })
}

/** A name for each schema that gets a component. The longest come first, so that a part is named after its whole. */
function namesFor(places: Place[], ownNames: Map<string, string>): Map<string, string> {
  const groups = [...Map.groupBy(places, ({ key }) => key)]
    .filter(
      ([key, group]) =>
        ownNames.has(key) || group.some(({ isNamed }) => isNamed) || (group.length > 1 && isShape(group[0]?.schema)),
    )
    .toSorted(([a], [b]) => b.length - a.length || (a < b ? -1 : 1))
  const names = new Map(ownNames)
  const taken = new Map([...ownNames.values()].map((name) => [folded(name), name]))
  const wanted = new Map<string, number>()
  for (const [, group] of groups) {
    const short = folded(shortName(group) ?? '')
    wanted.set(short, (wanted.get(short) ?? 0) + 1)
  }
  for (const [key, group] of groups) {
    if (names.has(key)) continue
    const [first] = group
    if (!first) continue
    const short = shortName(group)
    const choices = [
      scalarName(first.schema),
      short !== undefined && wanted.get(folded(short)) === 1 ? short : undefined,
      ...group.map((place) => longName(place, names)),
    ]
    const name = choices.find((choice) => choice !== undefined && !taken.has(folded(choice)))
    if (name === undefined)
      throw new Error(`no name is free for ${choices.join(', ')}: give the schema one by .meta({ id })`)
    names.set(key, name)
    taken.set(folded(name), name)
  }
  return names
}

function isShape(schema: Schema | undefined): boolean {
  if (!schema) return false
  const { properties, anyOf, oneOf, enum: values = [], type } = schema
  return (
    Boolean((properties && Object.keys(properties).length > 0) || anyOf || oneOf) ||
    (type === 'string' && values.length > 1)
  )
}

// They say nothing by themselves, or are names of a language.
const VAGUE = new Set(['Date', 'Error', 'Map', 'Op', 'Page', 'Previous', 'Text', 'Type', 'Value', 'Word'])

/** The name of the property, if the schema is that of one property everywhere. */
function shortName(group: Place[]): string | undefined {
  const [only, ...others] = new Set(group.map(({ property }) => pascal(property)))
  return only && others.length === 0 && !VAGUE.has(only) ? only : undefined
}

function longName(place: Place, names: Map<string, string>): string {
  const { parent } = place
  if (!parent) return place.suffix
  const whole = names.get(parent.key) ?? longName(parent, names)
  return place.suffix === 'Item' || place.suffix === 'Value' ? singular(whole, place.suffix) : whole + place.suffix
}

/** `TextUpTo1000`, or `TimeOrDate` for a union of such. */
function scalarName({
  type,
  format,
  maxLength,
  enum: values,
  const: value,
  pattern,
  anyOf,
  items,
  ...rest
}: Schema): string | undefined {
  if (anyOf) {
    const parts = anyOf.map((branch) => scalarName(branch))
    return parts.includes(undefined) || parts.length > 3 ? undefined : parts.join('Or')
  }
  if (items) return scalarName(items)?.concat('List')
  if (values || value !== undefined || pattern || rest.properties) return undefined
  if (type === 'number') return 'NumberValue'
  if (type === 'boolean') return 'BooleanValue'
  if (type !== 'string') return undefined
  if (format) return `${pascal(format)}Text`
  const { minLength } = rest as { minLength?: number }
  return `Text${minLength === undefined ? '' : `From${minLength}`}${maxLength === undefined ? 'Value' : `UpTo${maxLength}`}`
}

/** Says by which constant the branches of a union of objects differ. */
function withTag(before: Schema, { anyOf, oneOf, ...after }: Schema): Schema {
  const tag = tagOf(before.oneOf ?? before.anyOf ?? [])
  const branches = oneOf ?? anyOf
  if (!tag || !branches) return { ...after, ...(anyOf && { anyOf }), ...(oneOf && { oneOf }) }
  const constants = (before.oneOf ?? before.anyOf ?? []).map(({ properties }) => String(properties?.[tag]?.const))
  const mapping = Object.fromEntries(branches.map(({ $ref = '' }, at) => [constants[at], $ref]))
  return { ...after, oneOf: branches, discriminator: { propertyName: tag, mapping } }
}

/** Names that differ only in case or in a plural are one name in some languages. */
export function folded(name: string): string {
  return singular(name.toLowerCase())
}

function singular(name: string, otherwise = ''): string {
  if (/(?:ss|us|is|nps|series)$/i.test(name)) return name + otherwise
  const one = name.replace(/ies$/, 'y').replace(/([^s])s$/, '$1')
  return one === name ? name + otherwise : one
}

/** The schema without its words about one place. */
export function bare(schema: Schema): Schema {
  const { description: _, default: __, example: ___, ...rest } = schema
  return rest
}

/** Texts, numbers, lists and maps have a component only as branches of unions. */
function keyOf(schema: Schema, isBranch = false): string {
  return (isBranch && !isShape(schema) ? 'branch ' : '') + JSON.stringify(bare(schema))
}

function eachMedia(document: Document, change: (media: Media, name: string) => Media): void {
  for (const { operationId, requestBody, responses } of operationsOf(document)) {
    const name = pascal(operationId)
    if (requestBody) requestBody.content = changed(requestBody.content, (media) => change(media, `${name}Body`))
    for (const answer of Object.values(responses))
      if (answer.content) answer.content = changed(answer.content, (media) => change(media, answerName(name, media)))
  }
  for (const answer of Object.values(document.components.responses ?? {}))
    if (answer.content) answer.content = changed(answer.content, (media) => change(media, 'Problem'))
}

/** `SurveyPage` and `SurveyList` of surveys, otherwise the name of the operation. */
function answerName(operation: string, { schema }: Media): string {
  const { data, next_cursor: cursor } = schema?.properties ?? {}
  const item = data?.items?.$ref?.split('/').at(-1)
  if (!item) return `${operation}Answer`
  return item + (cursor && !isNull(cursor) ? 'Page' : 'List')
}

function eachParameter(document: Document, change: (schema: Schema, name: string, property: string) => Schema): void {
  for (const { operationId, parameters = [] } of operationsOf(document))
    for (const parameter of parameters)
      parameter.schema = change(parameter.schema, pascal(operationId) + pascal(parameter.name), parameter.name)
}

function changed(content: Record<string, Media>, change: (media: Media) => Media): Record<string, Media> {
  return Object.fromEntries(Object.entries(content).map(([type, media]) => [type, change(media)]))
}

export function operationsOf({ paths, webhooks = {} }: Pick<Document, 'paths' | 'webhooks'>) {
  return [...Object.values(paths), ...Object.values(webhooks)].flatMap((methods) => Object.values(methods))
}
