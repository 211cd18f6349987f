/** Properties of CSS that are attributes too, so that a picture needs no style. */
export const PROPERTIES = new Set(
  `fill fill-opacity fill-rule stroke stroke-width stroke-opacity stroke-linecap stroke-linejoin stroke-miterlimit
   stroke-dasharray stroke-dashoffset opacity color display visibility overflow clip-path clip-rule mask marker-start
   marker-mid marker-end stop-color stop-opacity font-family font-size font-style font-weight font-variant font-stretch
   letter-spacing word-spacing text-anchor text-decoration dominant-baseline alignment-baseline baseline-shift
   writing-mode paint-order vector-effect shape-rendering text-rendering color-interpolation`.split(/\s+/),
)

type Declarations = Array<[property: string, value: string]>

interface Rule {
  weight: number
  declarations: Declarations
}

/** The rules of all style sheets of a picture, by their selector: `path`, `.a`, `path.a` or `#b`. */
export type Rules = Map<string, Rule[]>

const SELECTOR = /^([a-zA-Z]+)?(?:\.([\w-]+)|#([\w-]+))?$/

const MOST_RULES = 2_000

/**
 * Reads the rules that drawing programs write. Rules with other selectors, and all at-rules, are left out. Null for too
 * many rules.
 */
export function readRules(css: string): Rules | null {
  const rules: Rules = new Map()
  let count = 0
  for (const block of withoutComments(css).split('}')) {
    const start = block.indexOf('{')
    if (start < 0 || block.indexOf('@') >= 0) continue
    const declarations = readDeclarations(block.slice(start + 1))
    for (const each of block.slice(0, start).split(',')) {
      const selector = each.trim()
      const found = SELECTOR.exec(selector)
      if (selector === '' || !found) continue
      const [, element, ofClass, id] = found
      const weight = (id ? 100 : 0) + (ofClass ? 10 : 0) + (element ? 1 : 0)
      count += 1
      if (count > MOST_RULES) return null
      rules.set(selector, [...(rules.get(selector) ?? []), { weight, declarations }])
    }
  }
  return rules
}

/** The properties that rules and the style attribute give an element. They win over its attributes. */
export function styleOf(rules: Rules, element: string, attributes: Record<string, string>): Declarations {
  const classes = (attributes['class'] ?? '').split(/\s+/, 20).filter(Boolean)
  const selectors = [
    element,
    ...classes.flatMap((name) => [`.${name}`, `${element}.${name}`]),
    ...(attributes['id'] ? [`#${attributes['id']}`, `${element}#${attributes['id']}`] : []),
  ]
  const matching = selectors.flatMap((selector) => rules.get(selector) ?? []).toSorted((a, b) => a.weight - b.weight)
  return [...matching.flatMap(({ declarations }) => declarations), ...readDeclarations(attributes['style'] ?? '')]
}

function readDeclarations(text: string): Declarations {
  return text.split(';').flatMap((part): Declarations => {
    const colon = part.indexOf(':')
    const property = part.slice(0, Math.max(colon, 0)).trim().toLowerCase()
    const value = part
      .slice(colon + 1)
      .replace('!important', '')
      .trim()
    return PROPERTIES.has(property) && value !== '' ? [[property, value]] : []
  })
}

function withoutComments(css: string): string {
  const [first = '', ...rest] = css.split('/*')
  return first + rest.map((part) => (part.includes('*/') ? part.slice(part.indexOf('*/') + 2) : '')).join('')
}
