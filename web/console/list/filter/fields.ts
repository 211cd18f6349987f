import { useQuery } from '@tanstack/react-query'
import { answerOf, api } from '../../session/api.ts'
import { useWords, type Words } from '../../words/words.ts'
import type { Schemas } from '../../../api/client.ts'

export type Field = Schemas['ListedField']
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
export function useFields(entity: Entity, surveyId?: string): Field[] {
  const { data } = useQuery({
    queryKey: ['fields', entity, surveyId ?? null],
    queryFn: () =>
      answerOf(
        api.GET('/v1/fields', {
          params: { query: { entity, ...(surveyId !== undefined && { survey_id: surveyId }) } },
        }),
      ),
    staleTime: 60_000,
  })
  return data?.data ?? NONE
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
