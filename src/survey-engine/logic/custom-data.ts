import type { CustomData, Issue, SurveyDefinition } from '../model/definition.ts'
import { isStorable, placeOf } from '../model/formats.ts'
import { LIMITS } from '../model/limits.ts'
import { isRecord } from '../model/record.ts'

/** The declared custom fields of a request, and an issue for every other field. A `null` value counts as absent. */
export function readCustomData(definition: SurveyDefinition, raw: unknown): { values: CustomData; issues: Issue[] } {
  const values: CustomData = {}
  const issues: Issue[] = []
  if (raw === undefined || raw === null) return { values, issues }
  if (!isRecord(raw)) return { values, issues: [{ path: 'custom_data', message: 'Send an object of custom fields.' }] }
  const fields = new Set(definition.custom_fields)
  for (const [field, value] of Object.entries(raw)) {
    if (issues.length >= LIMITS.issues) break
    if (!fields.has(field)) {
      issues.push({
        path: placeOf('custom_data', field),
        message: 'Remove this field, or declare it in custom_fields.',
      })
      continue
    }
    const problem = problemOf(value)
    if (problem !== null) issues.push({ path: `custom_data.${field.slice(0, 64)}`, message: problem })
    else if (isCustomValue(value)) values[field] = value
  }
  return { values, issues }
}

function problemOf(value: unknown): string | null {
  if (value === null) return null
  if (!isCustomValue(value)) return 'Send a string, a finite number or a boolean.'
  if (typeof value !== 'string') return null
  if (value.length > LIMITS.customValueLength) return `Shorten the value to ${LIMITS.customValueLength} characters.`
  return isStorable(value) ? null : 'Remove the characters that are not text.'
}

function isCustomValue(value: unknown): value is string | number | boolean {
  return (
    typeof value === 'string' || typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))
  )
}
