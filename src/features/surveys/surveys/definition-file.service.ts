import { notFound } from '../../../http/problems/problem.ts'
import type { Id } from '../../../platform/ids.ts'
import type { Scope } from '../../../platform/scope.ts'
import { canonicalJson } from './canonical-json.ts'
import { readDefinition } from './published-surveys.service.ts'
import * as store from './surveys.store.ts'
import { normalForm } from '../../../platform/text/normal-form.ts'

/** A definition as a file: one text for one content, so that files can be compared. */
export interface DefinitionFile {
  text: string
  etag: string
  /** A file name of letters, digits and hyphens. */
  fileName: string
}

/**
 * The name and the definition of a survey as canonical JSON (RFC 8785). `POST /v1/surveys` takes it.
 * @param version a published version. Undefined means the draft.
 * @throws Problem 404 for an unknown survey or version.
 */
export async function readDefinitionFile(
  scope: Scope,
  id: Id<'survey'>,
  version: number | undefined,
): Promise<DefinitionFile> {
  const { name, definition } = await scope.read(async (tx) => {
    const row = await store.findSurvey(tx, id)
    if (!row || (version !== undefined && (version < 1 || version > row.version))) throw notFound('survey')
    return version === undefined ? row : { name: row.name, definition: await readDefinition(scope, tx, id, version) }
  })
  // Surveys of earlier releases lack the member, and a survey made from the file has it.
  const { text, hash } = await canonicalJson({ privacy: 'open', ...definition, name })
  return { text, etag: `"${hash}"`, fileName: `${plainName(name)}${version === undefined ? '' : `-v${version}`}.json` }
}

function plainName(name: string): string {
  const plain = normalForm(name, 'NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9]+/g, '-')
  return plain.replace(/^-|-$/g, '').slice(0, 80).toLowerCase() || 'survey'
}
