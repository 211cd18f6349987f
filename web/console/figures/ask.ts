import { ApiProblem, type Schemas } from '../../api/client.ts'

type Asked = Schemas['ReadFigures']
type Answered = Schemas['FigureAnswers']

/** The groups that features add to those of responses. A server without such a feature refuses them. */
export const ADDED_GROUPS = ['topic', 'sentiment']

/**
 * The figures of all queries. Those by an added group go in a call of their own: where it is refused they are absent,
 * and the others answer.
 *
 * @param ask one call
 */
export async function askFigures(
  { queries, ...common }: Asked,
  ask: (body: Asked) => Promise<Answered>,
): Promise<Answered> {
  const isAdded = ([, { by }]: [string, Asked['queries'][string]]) =>
    (by ?? []).some((group) => ADDED_GROUPS.includes(group))
  const added = Object.entries(queries).filter(isAdded)
  const own = Object.entries(queries).filter((query) => !isAdded(query))
  const [answer, more] = await Promise.all([
    ask({ ...common, queries: Object.fromEntries(own) }),
    added.length === 0 ? null : ask({ ...common, queries: Object.fromEntries(added) }).catch(absentWhereRefused),
  ])
  return { ...answer, figures: { ...answer.figures, ...more?.figures } }
}

function absentWhereRefused(error: unknown): null {
  if (error instanceof ApiProblem) return null
  throw error
}
