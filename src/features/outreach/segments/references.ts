import type { Filter, FilterNode, FilterTest } from '../../../platform/filter/grammar.ts'
import { nodesOf } from '../../../platform/filter/grammar.ts'
import type { IdKind } from '../../../platform/ids.ts'
import type { Principal } from '../../../platform/principal.ts'
import { permissionsToFilter } from '../../../platform/readers.ts'
import { requireHeld } from '../../access/roles/permission-rules.ts'

/** Something of the workspace that a filter names. */
export interface Reference {
  kind: ReferenceKind
  text: string
  path: string
}

export const REFERENCE_KINDS = ['survey', 'agent', 'person', 'segment', 'topic', 'alertRule', 'user'] as const
export type ReferenceKind = (typeof REFERENCE_KINDS)[number] & IdKind

const KINDS: Partial<Record<string, ReferenceKind>> = {
  survey_id: 'survey',
  agent_id: 'agent',
  person_id: 'person',
  segment_id: 'segment',
  topic: 'topic',
  rule_id: 'alertRule',
  owner_id: 'user',
}

/** Everything that a filter names, with the place of each name. */
export function referencesIn(node: FilterNode, path: string): Reference[] {
  if ('field' in node) return referencesOf(node, `${path}.value`)
  const join = Object.keys(node)[0] ?? ''
  if (join === 'not') return nodesOf(node).flatMap((inner) => referencesIn(inner, `${path}.not`))
  return nodesOf(node).flatMap((inner, index) => referencesIn(inner, `${path}.${join}.${index}`))
}

function referencesOf({ field, value }: FilterTest, path: string): Reference[] {
  // `invited` and `responded` of people take {days, survey_id}.
  if (typeof value === 'object' && !Array.isArray(value)) {
    const surveyId = value['survey_id']
    return surveyId === undefined ? [] : [{ kind: 'survey', text: String(surveyId), path: `${path}.survey_id` }]
  }
  const kind = KINDS[field]
  if (!kind || value === undefined) return []
  if (!Array.isArray(value)) return [{ kind, text: String(value), path }]
  return value.map((each, index) => ({ kind, text: String(each), path: `${path}.${index}` }))
}

/**
 * Refuses somebody a choice by segments that test what is masked for them: who is in one has it.
 * @throws Problem 403 naming the permission.
 */
export function requireSeen(asker: Principal, segments: Array<{ filter: Filter }>): void {
  if (!('permissions' in asker)) return
  requireHeld(
    asker,
    segments.flatMap(({ filter }) => permissionsToFilter('people', filter)),
  )
}
