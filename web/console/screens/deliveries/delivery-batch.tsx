import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { toast } from '../../../ui/toast.tsx'
import type { ListState } from '../../app/list-state.ts'
import { Confirm } from '../../frame/lazy-confirm.tsx'
import { followBatch } from '../../list/batch.ts'
import { countText } from '../../list/count.tsx'
import type { Selection } from '../../list/selection.ts'
import { answerOf, api } from '../../session/api.ts'
import { formatNumber } from '../../words/format.ts'
import { useWords } from '../../words/words.ts'

interface Props {
  selection: Selection
  filter: ListState['filter']
  matching: { n: number; exact: boolean } | undefined
  loaded: number
}

/** Replays the chosen deliveries, after their number was confirmed. */
export function DeliveryBatch({ selection, filter, matching, loaded }: Props) {
  const words = useWords()
  const client = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const [done, setDone] = useState(0)
  const count = selection.isAll ? (matching?.n ?? loaded) : selection.ids.size
  const replay = useMutation({
    mutationFn: async () => {
      const rows = selection.isAll
        ? { filter: filter ?? { all: [] }, ...(matching?.exact === true && { expect: matching.n }) }
        : { ids: [...selection.ids] }
      const answer = await answerOf(
        api.POST('/v1/webhook-deliveries/batch', { body: { ...rows, do: { replay: true } } as never }),
      )
      return followBatch(answer as Parameters<typeof followBatch>[0], setDone)
    },
    onSuccess: ({ changed, failed }) => {
      setAsking(false)
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
        <button type="button" onClick={() => setAsking(true)}>
          {words('deliveries:replay')}
        </button>
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
      {isAsking && (
        <Confirm
          title={words('deliveries:replayTitle', { count, n: formatNumber(count) })}
          verb={words('deliveries:replay')}
          isDanger={false}
          isBusy={replay.isPending}
          error={replay.error}
          onClose={() => setAsking(false)}
          onConfirm={() => replay.mutate()}
        >
          <p>{words('deliveries:replayText')}</p>
        </Confirm>
      )}
    </>
  )
}
