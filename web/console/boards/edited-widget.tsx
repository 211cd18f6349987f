import type { Box } from '../../../src/features/programme/dashboards/grid.ts'
import { Icon } from '../../ui/icon.tsx'
import { Menu } from '../../ui/menu.tsx'
import { Problem } from '../frame/failure.tsx'
import { useWords } from '../words/words.ts'
import { useUnsavedAnswer, type Frame } from './answers.ts'
import { placeText, type Moves } from './moves.ts'
import { Picture } from './picture.tsx'
import { UNAVAILABLE, type Answer, type Widget } from './queries.ts'
import { inWords } from './titles.ts'

interface Props {
  widget: Widget
  box: Box
  frame: Frame
  /** The figure of the saved widget, if it asks the same. */
  saved: Answer
  until: string | undefined
  moves: Moves
  onOpen: () => void
  onDuplicate: () => void
  onRemove: () => void
}

/** A widget that can be moved, sized, changed and removed. */
export function EditedWidget({ widget: kept, box, frame, saved, until, moves, onOpen, onDuplicate, onRemove }: Props) {
  const words = useWords()
  const widget = inWords(kept, words)
  const { id, title } = widget
  return (
    <>
      <div className="head" onKeyDown={(event) => moves.press(event, id)}>
        <button
          type="button"
          className="grip"
          data-handle
          aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown Alt+ArrowLeft Alt+ArrowRight"
          aria-describedby="widget-keys"
          onPointerDown={(event) => moves.begin(event, id, 'move')}
          onClick={onOpen}
          onKeyDown={({ key }) => {
            if (key === 'Delete' || key === 'Backspace') onRemove()
          }}
        >
          <Icon name="grip-vertical" isSmall />
          <h2 className="cut">
            <bdi>{title || words('dashboards:untitled')}</bdi>
          </h2>
          <span className="unseen">{placeText(words, '', box)}</span>
        </button>
        <Menu
          size="square"
          label={words('dashboards:menuOf', { name: title })}
          groups={[
            {
              items: [
                { label: words('dashboards:change'), icon: 'pencil', onChoose: onOpen },
                ...(widget.kind === UNAVAILABLE
                  ? []
                  : [{ label: words('dashboards:duplicate'), icon: 'copy' as const, onChoose: onDuplicate }]),
                { label: words('dashboards:up'), icon: 'arrow-up', onChoose: () => moves.step(id, -1) },
                { label: words('dashboards:down'), icon: 'arrow-down', onChoose: () => moves.step(id, 1) },
              ],
            },
            { items: [{ label: words('frame:delete'), icon: 'trash', onChoose: onRemove }] },
          ]}
        >
          <Icon name="ellipsis" />
        </Menu>
      </div>
      <div className="body">
        <LivePicture widget={widget} frame={frame} saved={saved} until={until} />
      </div>
      <span className="corner" aria-hidden="true" onPointerDown={(event) => moves.begin(event, id, 'size')} />
    </>
  )
}

/** The picture of a widget as it is now, saved or not. */
export function LivePicture({ widget, frame, saved, until }: Pick<Props, 'widget' | 'frame' | 'saved' | 'until'>) {
  const words = useWords()
  const unsaved = useUnsavedAnswer(widget, frame, saved === undefined)
  if (saved !== undefined && until !== undefined) return <Picture widget={widget} answer={saved} until={until} />
  if (unsaved.error) return <Problem error={unsaved.error} onRetry={() => void unsaved.refetch()} />
  if (!unsaved.data) return null
  const { answer, until: end } = unsaved.data
  if (answer === null) return <p className="faint">{words('dashboards:afterSaving')}</p>
  return <Picture widget={widget} answer={answer} until={end} />
}
