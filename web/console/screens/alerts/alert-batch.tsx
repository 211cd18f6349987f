import type { Schemas } from '../../../api/client.ts'
import { Icon } from '../../../ui/icon.tsx'
import { Menu } from '../../../ui/menu.tsx'
import { BatchBar, useBatch, type Chosen } from '../../list/batch-bar.tsx'
import { PRIORITIES } from '../../list/states.ts'
import { GiveMenu, MoveMenu } from '../../list/work-menus.tsx'
import { answerOf, api } from '../../session/api.ts'
import { formatNumber } from '../../words/format.ts'
import { useWords } from '../../words/words.ts'

type Act = Pick<Schemas['UpdateAlert'], 'status' | 'owner_id' | 'priority'>

// An alert whose step does not lead there is left as it is.
const STATUSES = ['acknowledged', 'in_progress', 'resolved', 'closed'] as const

/** Moves the chosen alerts, gives them to somebody, or sets how urgent they are. */
export function AlertBatch(chosen: Chosen) {
  const words = useWords()
  const batch = useBatch<Act>(chosen, {
    list: 'alerts',
    send: (rows, act) => answerOf(api.POST('/v1/alerts/batch', { body: { ...rows, do: act } as never })),
    say: (_, changed) => words('list:batchChanged', { count: changed, n: formatNumber(changed) }),
    undoes: () => true,
  })
  const { act } = batch
  return (
    <BatchBar batch={batch} chosen={chosen}>
      <MoveMenu statuses={STATUSES} onMove={(status) => act({ status })} />
      <GiveMenu onGive={(owner_id) => act({ owner_id })} />
      <Menu
        groups={[
          {
            items: PRIORITIES.toReversed().map((priority) => ({
              label: words(`list:values.${priority}`),
              onChoose: () => act({ priority }),
            })),
          },
        ]}
      >
        {words('list:fields.priority')}
        <Icon name="chevron-down" isSmall />
      </Menu>
    </BatchBar>
  )
}
