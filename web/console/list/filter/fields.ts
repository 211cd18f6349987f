import { useQuery } from '@tanstack/react-query'
import { answerOf, api } from '../../session/api.ts'
import { useWords, type Words } from '../../words/words.ts'
import type { Schemas } from '../../../api/client.ts'

/** A field, and the list and the survey that its values are proposed for. */
export type Field = Schemas['ListedField'] & { entity: Entity; surveyId?: string | undefined }
export type Entity =
  | 'responses'
  | 'verbatim'
  | 'alerts'
  | 'leads'
  | 'people'
  | 'sends'
  | 'webhook_deliveries'
  | 'audit'
  | 'surveys'

const NONE: Field[] = []

/** Everything that a filter, the order and the columns of a list can name. */
export function useFields(entity: Entity, surveyId?: string, isWanted = true): Field[] {
  const { data } = useQuery({
    queryKey: ['fields', entity, surveyId ?? null],
    queryFn: async () => {
      const query = { entity, ...(surveyId !== undefined && { survey_id: surveyId }) }
      const { data: fields } = await answerOf(api.GET('/v1/fields', { params: { query } }))
      return fields.map((field): Field => ({ ...field, entity, surveyId }))
    },
    staleTime: 60_000,
    enabled: isWanted,
  })
  return data ?? NONE
}

/** The name of a field. The API gives names that the workspace wrote, and the console has words for the others. */
export function fieldName({ field, label }: Pick<Field, 'field' | 'label'>, words: Words): string {
  return label ?? words(`list:fields.${field}`)
}

/** The words of a value that has some, such as a state. */
export function useValueName(): (field: Field | undefined, value: string) => string {
  const words = useWords()
  return (field, value) => {
    const known = field?.values?.find((each) => each.value === value)
    if (known?.label != null) return known.label
    if (known !== undefined || field?.type === 'boolean') return words(`list:values.${value}`)
    return value
  }
}
