import { ShownBoard } from '../../boards/shown-board.tsx'
import { useData } from '../../boards/stored.ts'
import type { Answer, Dashboard } from '../../boards/queries.ts'
import type { PeriodState } from '../../figures/period.ts'
import { Loaded } from '../../frame/loaded.tsx'

/** The widgets that somebody chose for home. */
export function OwnBoard({ dashboard, asked }: { dashboard: Dashboard; asked: PeriodState }) {
  const data = useData(dashboard.id, asked)
  return (
    <Loaded query={data}>
      {({ widgets, period }) => (
        <ShownBoard dashboard={dashboard} answers={widgets as unknown as Record<string, Answer>} until={period.to} />
      )}
    </Loaded>
  )
}
