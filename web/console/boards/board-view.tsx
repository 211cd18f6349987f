import { settled } from '../../../src/features/programme/dashboards/grid.ts'
import type { PeriodState } from '../figures/period.ts'
import { Loaded } from '../frame/loaded.tsx'
import { useWords } from '../words/words.ts'
import { Board } from './board.tsx'
import { Picture } from './picture.tsx'
import type { Answer, Dashboard } from './queries.ts'
import { useData } from './stored.ts'
import { inWords } from './titles.ts'

interface Props {
  dashboard: Dashboard
  answers: Record<string, Answer>
  until: string
}

/** The widgets of a dashboard with their figures. */
export function BoardView({ dashboard, answers, until }: Props) {
  const words = useWords()
  return (
    <Board boxes={settled(dashboard.widgets.map(({ id, layout }) => ({ id, ...layout })))}>
      {(box) => {
        const found = dashboard.widgets.find(({ id }) => id === box.id)
        const widget = found && inWords(found, words)
        return (
          widget && (
            <>
              <h2 className="cut">
                <bdi>{widget.title}</bdi>
              </h2>
              <div className="body">
                <Picture widget={widget} answer={answers[widget.id]} until={until} />
              </div>
            </>
          )
        )
      }}
    </Board>
  )
}

/** The widgets of a dashboard, whose figures are read here. */
export function OwnBoard({ dashboard, asked }: { dashboard: Dashboard; asked: PeriodState }) {
  const data = useData(dashboard.id, asked)
  return (
    <Loaded query={data}>
      {({ widgets, period }) => (
        <BoardView dashboard={dashboard} answers={widgets as unknown as Record<string, Answer>} until={period.to} />
      )}
    </Loaded>
  )
}
