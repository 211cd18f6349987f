import { useState } from 'react'
import { toast } from '../../../ui/toast.tsx'
import { Confirm } from '../../frame/lazy-confirm.tsx'
import { BatchBar, useBatch, type Chosen } from '../../list/batch-bar.tsx'
import { answerOf, api } from '../../session/api.ts'
import { formatNumber } from '../../words/format.ts'
import { useWords } from '../../words/words.ts'

type Act = 'retry' | 'replay'
// A delivery that waits is tried now. A dead letter is sent again.
const ACTS: Act[] = ['retry', 'replay']

/** Tries or replays the chosen deliveries, after their number was confirmed. */
export function DeliveryBatch(chosen: Chosen) {
  const words = useWords()
  const [asked, ask] = useState<Act | null>(null)
  const batch = useBatch<Act>(chosen, {
    list: 'deliveries',
    send: (rows, act) =>
      answerOf(api.POST('/v1/webhook-deliveries/batch', { body: { ...rows, do: { [act]: true } } as never })),
    say: (_, changed) => {
      ask(null)
      return words('deliveries:replayed', { count: changed, n: formatNumber(changed) })
    },
    undoes: () => false,
  })
  const { count, run } = batch
  const { selection } = chosen
  return (
    <>
      <BatchBar batch={batch} chosen={chosen}>
        {ACTS.map((act) => (
          <button key={act} type="button" onClick={() => ask(act)}>
            {words(`deliveries:verbs.${act}`)}
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
      </BatchBar>
      {asked && count > 0 && (
        <Confirm
          title={words(`deliveries:${asked}Title`, { count, n: formatNumber(count) })}
          verb={words(`deliveries:verbs.${asked}`)}
          isDanger={false}
          onClose={() => ask(null)}
          act={{ ...run, mutate: () => run.mutate(asked) }}
        >
          <p>{words(`deliveries:${asked}Text`)}</p>
        </Confirm>
      )}
    </>
  )
}
