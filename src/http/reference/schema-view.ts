import { refOf, type Schema } from './document.ts'

const UNSAFE: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (char) => UNSAFE[char] as string)
}

/** Text with `code` in backticks, as our descriptions write it. */
export function inline(text: string): string {
  return escaped(text).replace(/`([^`]+)`/g, '<code>$1</code>')
}

export function paragraphs(text: string): string {
  return text
    .split(/\n{2,}/)
    .map((part) => `<p>${inline(part)}</p>`)
    .join('')
}

/** The type of a value, in words, with links to the shapes that it names. */
export function typeOf(schema: Schema): string {
  const name = refOf(schema)
  if (name) return `<a href="#shape-${escaped(name)}">${escaped(name)}</a>`
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return [...new Set(choices.map(typeOf))].join(' or ')
  if (schema.items) return `list of ${typeOf(schema.items)}`
  const types = [schema.type ?? 'any'].flat().join(' or ')
  return escaped(schema.format ? `${types}, ${schema.format}` : types)
}

/** The members of an object as a definition list, those within it below them. */
export function membersOf(schema: Schema): string {
  const inner = objectIn(schema)
  const rows = Object.entries(inner?.properties ?? {}).map(([name, member]) => {
    const isRequired = inner?.required?.includes(name) ?? false
    const nested = membersOf(member)
    return `<dt><code>${escaped(name)}</code> <span class="type">${typeOf(member)}${isRequired ? '' : ', optional'}</span></dt><dd>${
      member.description ? `<p>${inline(member.description)}</p>` : ''
    }${limitsOf(member)}${nested}</dd>`
  })
  return rows.length === 0 ? '' : `<dl>${rows.join('')}</dl>`
}

/** The limits of a value, beyond its type. */
export function limitsOf(schema: Schema): string {
  const parts: string[] = []
  if (schema.enum) parts.push(`One of ${schema.enum.map(code).join(', ')}.`)
  if (schema.const !== undefined) parts.push(`Always ${code(schema.const)}.`)
  const [least, most] = [
    schema.minimum ?? schema.minLength ?? schema.minItems,
    schema.maximum ?? schema.maxLength ?? schema.maxItems,
  ]
  const unit =
    schema.maxLength !== undefined || schema.minLength !== undefined ? ' characters' : schema.items ? ' items' : ''
  if (least !== undefined && most !== undefined) parts.push(`${least} to ${most}${unit}.`)
  else if (most !== undefined) parts.push(`At most ${most}${unit}.`)
  else if (least !== undefined) parts.push(`At least ${least}${unit}.`)
  if (schema.exclusiveMinimum !== undefined) parts.push(`More than ${schema.exclusiveMinimum}.`)
  if (schema.default !== undefined) parts.push(`Default ${code(schema.default)}.`)
  return parts.length === 0 ? '' : `<p class="limits">${parts.join(' ')}</p>`
}

/** The object that a schema is, or that its list or its choices hold. Shapes with a name stand by themselves. */
function objectIn(schema: Schema): Schema | null {
  if (schema.$ref) return null
  if (schema.properties) return schema
  if (schema.items) return objectIn(schema.items)
  const choices = (schema.anyOf ?? schema.oneOf ?? []).flatMap((each) => objectIn(each) ?? [])
  if (choices.length === 0) return null
  return {
    properties: Object.assign({}, ...choices.map(({ properties }) => properties)) as Record<string, Schema>,
    required: (choices[0]?.required ?? []).filter((name) => choices.every(({ required }) => required?.includes(name))),
  }
}

function code(value: unknown): string {
  return `<code>${escaped(JSON.stringify(value))}</code>`
}
