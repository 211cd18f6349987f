import { useState } from 'react'
import type { Schemas } from '../../../api/client.ts'
import { Confirm } from '../../frame/lazy-confirm.tsx'
import { BatchBar, useBatch, type Chosen } from '../../list/batch-bar.tsx'
import { GiveMenu, MoveMenu } from '../../list/work-menus.tsx'
import { answerOf, api } from '../../session/api.ts'
import { formatNumber } from '../../words/format.ts'
import { useWords } from '../../words/words.ts'

type Act = { status: Schemas['Lead']['status'] } | { owner_id: string | null } | { delete: true }

const STATUSES = ['new', 'contacted', 'qualified', 'converted', 'lost'] as const

/** Moves the chosen leads, gives them to somebody, or deletes them. */
export function LeadBatch(chosen: Chosen) {
  const words = useWords()
  const [isAsking, setAsking] = useState(false)
  const batch = useBatch<Act>(chosen, {
    list: 'leads',
    send: (rows, act) => answerOf(api.POST('/v1/leads/batch', { body: { ...rows, do: act } as never })),
    say: (act, changed) => {
      setAsking(false)
      return 'delete' in act
        ? words('leads:deletedMany', { count: changed })
        : words('list:batchChanged', { count: changed, n: formatNumber(changed) })
    },
    undoes: (act) => !('delete' in act),
  })
  const { count, run, act } = batch
  return (
    <>
      <BatchBar batch={batch} chosen={chosen}>
        <MoveMenu statuses={STATUSES} onMove={(status) => act({ status })} />
        <GiveMenu onGive={(owner_id) => act({ owner_id })} />
        <button
          type="button"
          onClick={() => {
            run.reset()
            setAsking(true)
          }}
        >
          {words('list:deleteMany')}
        </button>
      </BatchBar>
      {isAsking && count > 0 && (
        <Confirm
          title={words('leads:deleteManyTitle', { count })}
          typed={words('leads:deleteManyTyped', { count })}
          verb={words('frame:delete')}
          onClose={() => setAsking(false)}
          act={{ ...run, mutate: () => run.mutate({ delete: true }) }}
        >
          <p>{words('leads:deleteText')}</p>
        </Confirm>
      )}
    </>
  )
}
