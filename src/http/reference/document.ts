/** The parts of an OpenAPI 3.1 document that the reference shows. */
export interface ApiDocument {
  info: { title: string; version: string; description: string }
  tags: Array<{ name: string }>
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema>; responses?: Record<string, Answer> }
}

export interface Operation {
  operationId: string
  summary: string
  description?: string
  tags: string[]
  security?: unknown[]
  parameters?: Parameter[]
  requestBody?: { description?: string; required?: boolean; content: Record<string, Media> }
  responses: Record<string, Answer | { $ref: string }>
}

export interface Answer {
  description: string
  content?: Record<string, Media>
}

export interface Parameter {
  name: string
  in: 'query' | 'path' | 'header'
  required?: boolean
  description?: string
  schema: Schema
  example?: unknown
}

export interface Media {
  schema?: Schema
  example?: unknown
}

export interface Schema {
  $ref?: string
  type?: string | string[]
  description?: string
  format?: string
  enum?: unknown[]
  const?: unknown
  default?: unknown
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: Schema | boolean
  anyOf?: Schema[]
  oneOf?: Schema[]
  minimum?: number
  exclusiveMinimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
}

/** A call that the reference shows. */
export interface Call extends Operation {
  method: string
  path: string
}

export function callsOf({ paths }: ApiDocument): Call[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, method, path })),
  )
}

/** An answer, even if several calls share it. */
export function answerOf({ components }: Pick<ApiDocument, 'components'>, answer: Answer | { $ref: string }): Answer {
  if (!('$ref' in answer)) return answer
  return components.responses?.[answer.$ref.split('/').at(-1) ?? ''] ?? { description: '' }
}

/** The name of the component that a schema stands for. */
export function refOf({ $ref }: Schema): string | null {
  return $ref?.split('/').at(-1) ?? null
}
