import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query'
import { useRef, useState, type ReactNode } from 'react'
import { ApiProblem } from '../../api/client.ts'
import { toast } from '../../ui/toast.tsx'
import type { ListState } from '../app/list-state.ts'
import { reasonOf } from '../frame/failure.tsx'
import { Confirm } from '../frame/lazy-confirm.tsx'
import { answerOf, api } from '../session/api.ts'
import { formatNumber, countText } from '../words/format.ts'
import { useWords } from '../words/words.ts'
import type { Selection } from './selection.ts'

const LOOK_MS = 500
/** More rows than these are acted on only after a question. */
const MOST_UNASKED = 500

/** The chosen rows of a list. */
export interface Chosen {
  selection: Selection
  filter: ListState['filter']
  search?: string | undefined
  matching: { n: number; exact: boolean } | undefined
  loaded: number
}

interface Acting<Act> {
  /** The first name in the query keys of the list. */
  list: string
  /** Asks for the batch. @param rows the ids, or the filter with the number that was seen */
  send: (rows: object, act: Act) => Promise<Parameters<typeof followBatch>[0]>
  /** Said when it is done. */
  say: (act: Act, changed: number) => string
  /** Whether the API can take it back. */
  undoes: (act: Act) => boolean
}

/** How a batch ended, row by row. */
interface Outcome {
  id: string
  total: number
  changed: number
  unchanged: number
  failed: number
}

export interface Batch<Act> {
  count: number
  /** Rows that are done so far. */
  done: number
  run: UseMutationResult<Outcome, Error, Act>
  /** Runs an act that asks nothing first, unless the rows are many. A refusal is said in a toast. */
  act: (act: Act) => void
  /** Goes on with an act on many rows, or leaves it. Null: nothing is asked. */
  asked: { goOn: () => void; leave: () => void } | null
}

/** Acts on the chosen rows. All that match are chosen by their filter, and their number is checked. */
export function useBatch<Act>(
  { selection, filter, search, matching, loaded }: Chosen,
  { list, send, say, undoes }: Acting<Act>,
): Batch<Act> {
  const words = useWords()
  const client = useQueryClient()
  const [done, setDone] = useState(0)
  // The number that was agreed to after another one was refused.
  const agreed = useRef<number>(undefined)
  const refresh = () => void client.invalidateQueries({ queryKey: [list] })
  const run = useMutation({
    mutationFn: async (act: Act) => {
      const expect = agreed.current ?? (matching?.exact === true ? matching.n : undefined)
      agreed.current = undefined
      const rows = selection.isAll
        ? {
            filter: filter ?? { all: [] },
            ...(search !== undefined && { search }),
            ...(expect !== undefined && { expect }),
          }
        : { ids: [...selection.ids] }
      setDone(0)
      return followBatch(await send(rows, act), setDone)
    },
    onSuccess: ({ id, changed, failed }, act) => {
      selection.clear()
      refresh()
      const left = failed > 0 ? ` ${words('list:left', { count: failed })}` : ''
      toast({
        text: say(act, changed) + left,
        ...(undoes(act) && { action: { label: words('frame:undo'), onPress: () => undo.mutate(id) } }),
      })
    },
    onError: (error) => {
      if (error instanceof ApiProblem && error.code === 'changed') refresh()
    },
  })
  const undo = useMutation({
    mutationFn: (id: string) => answerOf(api.POST('/v1/batches/{id}/undo', { params: { path: { id } } })),
    onSuccess: async ({ id, total }) => {
      await followBatch({ id, total }, () => {})
      toast({ text: words('list:undone') })
      refresh()
    },
    onError: (error) => toast({ text: reasonOf(error, words) }),
  })
  const [asked, setAsked] = useState<Act | null>(null)
  const isMany = selection.isAll && matching !== undefined && !(matching.exact && matching.n <= MOST_UNASKED)
  const begin = (chosen: Act): void =>
    run.mutate(chosen, {
      onError: (error) => {
        const now = error instanceof ApiProblem ? error.matching : null
        if (now === null) return toast({ text: reasonOf(error, words) })
        const again = () => {
          agreed.current = now
          begin(chosen)
        }
        toast({
          text: words('list:matchNow', { count: now, n: formatNumber(now) }),
          action: { label: words('list:goOn'), onPress: again },
        })
      },
    })
  return {
    count: selection.isAll ? (matching?.n ?? loaded) : selection.ids.size,
    done,
    run,
    act: (chosen) => (isMany ? setAsked(chosen) : begin(chosen)),
    asked:
      asked === null
        ? null
        : {
            goOn: () => {
              setAsked(null)
              begin(asked)
            },
            leave: () => setAsked(null),
          },
  }
}

interface Props<Act> {
  batch: Batch<Act>
  chosen: Chosen
  /** The acts on the rows. */
  children: ReactNode
}

/** How many rows are chosen, and what can be done with them. */
export function BatchBar<Act>({
  batch: { count, done, run, asked },
  chosen: { selection, matching },
  children,
}: Props<Act>) {
  const words = useWords()
  if (count === 0) return null
  const mayChooseAll = !selection.isAll && matching !== undefined && selection.ids.size < matching.n
  return (
    <div className="bulk" role="group" aria-label={words('list:selected')}>
      <span className="figure" role="status">
        {run.isPending
          ? words('list:of', { matching: formatNumber(done), all: formatNumber(count) })
          : words('list:chosen', {
              count,
              n: selection.isAll && matching ? countText(matching, words) : formatNumber(count),
            })}
      </span>
      {mayChooseAll && (
        <button type="button" onClick={selection.chooseAll}>
          {words('list:chooseAll', { n: countText(matching, words) })}
        </button>
      )}
      <fieldset className="acts" disabled={run.isPending}>
        {children}
      </fieldset>
      <button type="button" onClick={selection.clear}>
        {words('list:unselect')}
      </button>
      {asked && matching && (
        <Confirm
          title={words('list:manyTitle', { count: matching.n, n: countText(matching, words) })}
          verb={words('list:goOn')}
          act={{ mutate: asked.goOn }}
          onClose={asked.leave}
        >
          <p>{words('list:manyText')}</p>
        </Confirm>
      )}
    </div>
  )
}

/** Follows a batch that goes on in the background. @param onProgress gets the rows that are done */
async function followBatch(
  answer: Partial<Outcome> & { id?: string | undefined; total: number },
  onProgress: (done: number) => void,
): Promise<Outcome> {
  const { id = '' } = answer
  if (answer.changed !== undefined) return { changed: 0, unchanged: 0, failed: 0, ...answer, id }
  for (;;) {
    const batch = await answerOf(api.GET('/v1/batches/{id}', { params: { path: { id } } }))
    onProgress(batch.changed + batch.unchanged + batch.failed)
    if (batch.status !== 'running' && batch.status !== 'undoing') return batch
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
}
