import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { toast } from '../../../ui/toast.tsx'
import type { ListState } from '../../app/list-state.ts'
import { Confirm } from '../../frame/lazy-confirm.tsx'
import { followBatch } from '../../list/batch.ts'
import { countText } from '../../words/count-text.ts'
import type { Selection } from '../../list/selection.ts'
import { answerOf, api } from '../../session/api.ts'
import { formatNumber } from '../../words/format.ts'
import { useWords } from '../../words/words.ts'

type Act = 'retry' | 'replay'
// A delivery that waits is tried now. A dead letter is sent again.
const ACTS: Act[] = ['retry', 'replay']

interface Props {
  selection: Selection
  filter: ListState['filter']
  matching: { n: number; exact: boolean } | undefined
  loaded: number
}

/** Tries or replays the chosen deliveries, after their number was confirmed. */
export function DeliveryBatch({ selection, filter, matching, loaded }: Props) {
  const words = useWords()
  const client = useQueryClient()
  const [act, ask] = useState<Act | null>(null)
  const [done, setDone] = useState(0)
  const count = selection.isAll ? (matching?.n ?? loaded) : selection.ids.size
  const replay = useMutation({
    mutationFn: async (chosen: Act) => {
      const rows = selection.isAll
        ? { filter: filter ?? { all: [] }, ...(matching?.exact === true && { expect: matching.n }) }
        : { ids: [...selection.ids] }
      const answer = await answerOf(
        api.POST('/v1/webhook-deliveries/batch', { body: { ...rows, do: { [chosen]: true } } as never }),
      )
      return followBatch(answer as Parameters<typeof followBatch>[0], setDone)
    },
    onSuccess: ({ changed, failed }) => {
      ask(null)
      selection.clear()
      void client.invalidateQueries({ queryKey: ['deliveries'] })
      const left = failed > 0 ? ` ${words('list:left', { count: failed })}` : ''
      toast({ text: words('deliveries:replayed', { count: changed, n: formatNumber(changed) }) + left })
    },
  })
  if (count === 0) return null
  const mayChooseAll = !selection.isAll && matching !== undefined && selection.ids.size < matching.n
  return (
    <>
      <div className="bulk" role="group" aria-label={words('list:selected')}>
        <span className="figure" role="status">
          {replay.isPending
            ? words('list:of', { matching: formatNumber(done), all: formatNumber(count) })
            : words('list:chosen', { count, n: formatNumber(count) })}
        </span>
        {mayChooseAll && (
          <button type="button" onClick={selection.chooseAll}>
            {words('list:chooseAll', { n: countText(matching, words) })}
          </button>
        )}
        {ACTS.map((each) => (
          <button key={each} type="button" onClick={() => ask(each)}>
            {words(`deliveries:verbs.${each}`)}
          </button>
        ))}
        <button
          type="button"
          onClick={() => {
            void navigator.clipboard.writeText([...selection.ids].join('\n'))
            toast({ text: words('frame:copied') })
          }}
          disabled={selection.isAll}
        >
          {words('deliveries:copyIds')}
        </button>
        <button type="button" onClick={selection.clear}>
          {words('list:unselect')}
        </button>
      </div>
      {act && (
        <Confirm
          title={words(`deliveries:${act}Title`, { count, n: formatNumber(count) })}
          verb={words(`deliveries:verbs.${act}`)}
          isDanger={false}
          isBusy={replay.isPending}
          error={replay.error}
          onClose={() => ask(null)}
          onConfirm={() => replay.mutate(act)}
        >
          <p>{words(`deliveries:${act}Text`)}</p>
        </Confirm>
      )}
    </>
  )
}
