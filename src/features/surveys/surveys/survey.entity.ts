import { json, sql, type RawBuilder } from '../../../platform/database/database.ts'
import { BY_ID, declareEntity } from '../../../platform/fields/entity.ts'
import { boolean, date, idOf, jsonOf, list, oneOf, orNull, text, whole } from '../../../platform/fields/values.ts'
import type { Sorts } from '../../../platform/fields/sorting.ts'
import type { Fields } from '../../../platform/filter/entity.ts'
import { METRICS, type QuestionType, type SurveyDefinition } from '../../../survey-engine/model/definition.ts'
import { SURVEY_STATES } from './openness.ts'

/** Every field of a survey. Filters and orders of its list test the draft. */
export const surveys = declareEntity(
  { table: 'surveys', rows: 'go', more: filters(), sorts: sortsBy(sql`'{}'::jsonb`) },
  {
    id: { is: idOf('survey'), fixed: true, shown: true, filter: BY_ID },
    name: { is: text, shown: true, filter: true, sort: { value: foldedName } },
    state: { is: oneOf(SURVEY_STATES), shown: true, filter: true },
    definition: { is: jsonOf<SurveyDefinition>() },
    revision: { is: whole },
    // Of the draft.
    languages: { is: list },
    version: { is: whole, shown: true },
    unpublished_changes: { is: boolean },
    frozen_types: { is: jsonOf<Record<string, QuestionType>>() },
    starts_at: { is: orNull(date), shown: true },
    closes_at: { is: orNull(date), shown: true },
    response_limit: { is: orNull(whole), shown: true },
    published_at: { is: orNull(date), shown: true },
    created_at: { is: date, fixed: true, shown: true, filter: true, sort: true },
    updated_at: { is: date, shown: true, filter: true, sort: true },
    updated_by: { is: orNull(text) },
  },
)

/**
 * Members of an object of `beside`: the completed responses of a survey, and the moment of the last in milliseconds.
 */
export type Activities = Record<string, [responses: number, lastAt: number | null]>

/** As a statement has it. */
export function besideOf(activities: Activities): RawBuilder<unknown> {
  return json(activities)
}

/** Fields whose values are counted before the statement. */
export const ACTIVITY = ['response_count', 'last_response_at']

/** @param beside `Activities` as JSON. */
export function sortsBy(beside: RawBuilder<unknown>): Sorts {
  return {
    response_count: { type: 'bigint', value: (alias) => countOf(alias, beside), presence: null },
    last_response_at: {
      type: 'timestamptz',
      value: (alias) => lastOf(alias, beside),
      presence: (alias) => lastOf(alias, beside),
    },
  }
}

function countOf(alias: string, beside: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`coalesce((${beside} -> ${sql.ref(`${alias}.id`)}::text ->> 0)::bigint, 0)`
}

function lastOf(alias: string, beside: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`to_timestamp((${beside} -> ${sql.ref(`${alias}.id`)}::text ->> 1)::float8 / 1000)`
}

function foldedName(alias: string): RawBuilder<unknown> {
  return sql`lower(${sql.ref(`${alias}.name`)}) collate "C"`
}

function filters(): Fields {
  return {
    response_count: {
      kind: 'number',
      isWhole: true,
      ops: ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'between'],
      sql: ({ alias, beside = sql`'{}'::jsonb` }) => countOf(alias, beside),
      read: () => undefined,
    },
    last_response_at: {
      kind: 'date',
      sql: ({ alias, beside = sql`'{}'::jsonb` }) => lastOf(alias, beside),
      read: () => undefined,
    },
    metric: {
      kind: 'text',
      values: METRICS,
      sql: ({ alias }) => sql`(${sql.ref(`${alias}.definition`)} ->> 'metric')`,
      read: ({ definition }: { definition: SurveyDefinition }) => definition.metric,
    },
    privacy: {
      kind: 'text',
      values: ['open', 'anonymous'],
      sql: ({ alias }) => sql`coalesce(${sql.ref(`${alias}.definition`)} ->> 'privacy', 'open')`,
      read: ({ definition }: { definition: SurveyDefinition }) => definition.privacy ?? 'open',
    },
    language: {
      kind: 'list',
      sql: ({ alias }) => sql`array(
        select jsonb_array_elements_text(${sql.ref(`${alias}.definition`)} -> 'languages')
        union select ${sql.ref(`${alias}.definition`)} ->> 'default_language')`,
      read: ({ definition }: { definition: SurveyDefinition }) => definition.languages,
    },
  }
}
