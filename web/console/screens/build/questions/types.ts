import { FAMILY_NAMES, menuOf, QUESTION_TYPES } from '../../../../../src/survey-engine/types/settings.ts'

/** The menu of types. */
export const FAMILIES = FAMILY_NAMES.map((name) => ({
  name,
  types: QUESTION_TYPES.filter((type) => menuOf(type).family === name),
}))
