import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiProblem } from '../../../api/client.ts'
import { Field } from '../../../ui/field.tsx'
import { toast } from '../../../ui/toast.tsx'
import type { ListState } from '../../app/list-state.ts'
import { Confirm } from '../../frame/lazy-confirm.tsx'
import { followBatch, type Outcome } from '../../list/batch.ts'
import { countText } from '../../words/count-text.ts'
import type { Selection } from '../../list/selection.ts'
import { answerOf, api } from '../../session/api.ts'
import { formatNumber } from '../../words/format.ts'
import { useWords } from '../../words/words.ts'

type Act = 'tag' | 'quarantine' | 'release' | 'delete'
const ACTS: Act[] = ['tag', 'quarantine', 'delete']

interface Props {
  selection: Selection
  filter: ListState['filter']
  search: string | undefined
  matching: { n: number; exact: boolean } | undefined
  loaded: number
}

/** Acts on the chosen rows. All that match are chosen by their filter, and their number is checked. */
export function ResponseBatch({ selection, filter, search, matching, loaded }: Props) {
  const words = useWords()
  const client = useQueryClient()
  const [act, setAct] = useState<Act | null>(null)
  const [tag, setTag] = useState('')
  const [done, setDone] = useState(0)
  const count = selection.isAll ? (matching?.n ?? loaded) : selection.ids.size
  const run = useMutation({
    mutationFn: async (chosen: Act): Promise<Outcome> => {
      const rows = selection.isAll
        ? {
            filter: filter ?? { all: [] },
            ...(search !== undefined && { search }),
            ...(matching?.exact === true && { expect: matching.n }),
          }
        : { ids: [...selection.ids] }
      const what = chosen === 'tag' ? { add_tags: [tag.trim()] } : { [chosen]: true }
      setDone(0)
      const answer = await answerOf(api.POST('/v1/responses/batch', { body: { ...rows, do: what } as never }))
      return followBatch(answer as Parameters<typeof followBatch>[0], setDone)
    },
    onSuccess: (outcome, chosen) => {
      setAct(null)
      setTag('')
      selection.clear()
      void client.invalidateQueries({ queryKey: ['responses'] })
      const left = outcome.failed > 0 ? ` ${words('list:left', { count: outcome.failed })}` : ''
      toast({
        text: words(`responses:done.${chosen}`, { count: outcome.changed }) + left,
        ...(chosen !== 'delete' && {
          action: { label: words('frame:undo'), onPress: () => undo.mutate(outcome.id) },
        }),
      })
    },
    onError: (error) => {
      if (error instanceof ApiProblem && error.code === 'changed')
        void client.invalidateQueries({ queryKey: ['responses'] })
    },
  })
  const undo = useMutation({
    mutationFn: (id: string) => answerOf(api.POST('/v1/batches/{id}/undo', { params: { path: { id } } })),
    onSuccess: () => {
      toast({ text: words('list:undone') })
      void client.invalidateQueries({ queryKey: ['responses'] })
    },
  })
  if (count === 0) return null
  const mayChooseAll = !selection.isAll && matching !== undefined && selection.ids.size < matching.n
  return (
    <>
      <div className="bulk" role="group" aria-label={words('list:selected')}>
        <span className="figure" role="status">
          {run.isPending
            ? words('list:of', { matching: formatNumber(done), all: formatNumber(count) })
            : words('list:chosen', { count, n: formatNumber(count) })}
        </span>
        {mayChooseAll && (
          <button type="button" onClick={selection.chooseAll}>
            {words('list:chooseAll', { n: countText(matching, words) })}
          </button>
        )}
        {ACTS.map((each) => (
          <button key={each} type="button" onClick={() => (each === 'quarantine' ? run.mutate(each) : setAct(each))}>
            {words(`responses:acts.${each}`)}
          </button>
        ))}
        <button type="button" onClick={selection.clear}>
          {words('list:unselect')}
        </button>
      </div>
      <>
        {act === 'tag' && (
          <Confirm
            title={words('responses:tagTitle', { count, n: formatNumber(count) })}
            verb={words('list:tag')}
            isDanger={false}
            isBusy={run.isPending}
            error={run.error}
            onClose={() => setAct(null)}
            onConfirm={() => {
              if (tag.trim() !== '') run.mutate('tag')
            }}
          >
            <Field
              label={words('responses:tagName')}
              value={tag}
              maxLength={64}
              required
              autoFocus
              onChange={({ target }) => setTag(target.value)}
            />
          </Confirm>
        )}
        {act === 'delete' && (
          <Confirm
            title={words('responses:deleteTitle', { count })}
            typed={words('responses:deleteTyped', { count })}
            verb={words('frame:delete')}
            isBusy={run.isPending}
            error={run.error}
            onClose={() => setAct(null)}
            onConfirm={() => run.mutate('delete')}
          >
            <p>{words('responses:deleteText')}</p>
          </Confirm>
        )}
      </>
    </>
  )
}
