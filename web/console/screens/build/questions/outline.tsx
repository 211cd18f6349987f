import {
  lazy,
  memo,
  Suspense,
  useCallback,
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type PointerEvent,
} from 'react'
import { menuOf } from '../../../../../src/survey-engine/types/registry.ts'
import { Button } from '../../../../ui/button.tsx'
import { Icon } from '../../../../ui/icon.tsx'
import { Menu } from '../../../../ui/menu.tsx'
import { toast } from '../../../../ui/toast.tsx'
import { isTyping } from '../../../shortcuts/shortcuts.ts'
import { useWords } from '../../../words/words.ts'
import { AddQuestion } from './add-question.tsx'
import type { State } from '../builder.ts'
import { countById } from '../model/problems.ts'
import { duplicateQuestion, moveQuestion, removeQuestion } from '../model/edits.ts'
import type { Question } from '../model/draft.ts'
import { shownOnlyIf } from '../model/logic.ts'
import { shown } from '../model/texts.ts'
import { useSay } from '../sayings.ts'
import { useBuild, useBuilder, useBuildState, useDraft, useMayEdit } from '../use-builder.ts'

const MoveTo = lazy(() => import('./move-to.tsx').then((each) => ({ default: each.MoveTo })))

interface Props {
  currentId: string | undefined
}

/** The questions in order. Two hundred rows follow a letter, and none waits for them. */
export function Outline({ currentId }: Props) {
  const draft = useDeferredValue(useDraft())
  const problems = useDeferredValue(useBuild((state) => state.problems))
  return <Listed currentId={currentId} draft={draft} problems={problems} />
}

/** They are moved by the pointer, by keys, or to a place by the menu. */
const Listed = memo(function Listed({ currentId, draft, problems }: Props & Pick<State, 'draft' | 'problems'>) {
  const words = useWords()
  const builder = useBuilder()
  const mayEdit = useMayEdit()
  const [state, go] = useBuildState()
  const say = useSay()
  const [moving, setMoving] = useState<string | null>(null)
  const list = useRef<HTMLOListElement>(null)
  const counts = useMemo(() => countById(problems, 'questions'), [problems])
  const conditions = useMemo(() => shownOnlyIf(draft), [draft])
  const { questions } = draft

  const pane = state.pane && { pane: state.pane }
  const open = useCallback(
    (id: string) => {
      go({ at: id }, true)
      focusSteps()
    },
    [go],
  )
  const move = useCallback(
    (id: string, to: number) => {
      const { questions: all } = builder.get().draft
      const place = Math.max(0, Math.min(to, all.length - 1))
      const question = all.find((each) => each.id === id)
      if (!question || all[place]?.id === id) return
      builder.edit((before) => moveQuestion(before, id, place))
      builder.say(
        words('build:said.moved', {
          question: shown(question.title, builder.get().draft) || id,
          place: place + 1,
          of: all.length,
        }),
      )
    },
    [builder, words],
  )
  const drag = useDrag(list, move)
  const remove = (id: string) => {
    const { draft: before } = builder.get()
    const { questions } = before
    const at = questions.findIndex((each) => each.id === id)
    builder.edit((each) => removeQuestion(each, id))
    const title = shown(questions[at]?.title, before) || id
    toast({
      text: words('build:said.removed', { question: title }),
      action: { label: words('frame:undo'), onPress: builder.undo },
    })
    const next = questions[at + 1] ?? questions[at - 1]
    go(next ? { ...pane, at: next.id } : {})
    list.current?.querySelector<HTMLElement>('[aria-current]')?.focus()
  }
  const press = (event: KeyboardEvent) => {
    const { questions } = builder.get().draft
    const at = questions.findIndex(({ id }) => id === currentId)
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    const current = questions[at]
    if (!current) return
    if (by !== 0 && event.altKey && mayEdit) {
      event.preventDefault()
      move(current.id, at + by)
    } else if (by !== 0 && !event.altKey) {
      event.preventDefault()
      const next = questions[at + by]
      if (next) go({ ...pane, at: next.id })
    } else if ((event.key === 'Delete' || event.key === 'Backspace') && mayEdit) {
      event.preventDefault()
      remove(current.id)
    }
  }
  const isListed = questions.some(({ id }) => id === currentId)
  useFollowFocus(list, isListed ? currentId : undefined)

  return (
    <div className="outline">
      <h2 className="unseen">{words('build:views.questions')}</h2>
      <ol
        ref={list}
        aria-label={words(mayEdit ? 'build:outlineKeys' : 'build:views.questions')}
        onKeyDown={press}
        className={drag.from === null ? '' : 'dragging'}
      >
        {questions.map((question, at) => (
          <Row
            key={question.id}
            question={question}
            title={shown(question.title, draft)}
            at={at}
            isCurrent={question.id === currentId}
            problems={counts.get(question.id) ?? 0}
            when={conditions.has(question.id) ? say.condition(conditions.get(question.id)?.when, draft) : ''}
            drop={drag.to === at ? (drag.from !== null && drag.from < at ? 'below' : 'above') : ''}
            mayEdit={mayEdit}
            onOpen={open}
            onGrip={drag.begin}
          />
        ))}
      </ol>
      {mayEdit && (
        <div className="adding">
          <AddQuestion after={currentId} onAdded={(id) => go({ at: id }, true)} />
          {currentId !== undefined && (
            <Menu
              size="square"
              label={words('build:questionMenu')}
              groups={[
                {
                  items: [
                    { label: words('build:move'), icon: 'arrow-up-down', onChoose: () => setMoving(currentId) },
                    {
                      label: words('build:duplicate'),
                      icon: 'copy',
                      onChoose: () => {
                        const made = duplicateQuestion(builder.get().draft, currentId)
                        if (!made) return
                        builder.edit(() => made[0])
                        go({ at: made[1].id }, true)
                      },
                    },
                  ],
                },
                { items: [{ label: words('frame:delete'), icon: 'trash', onChoose: () => remove(currentId) }] },
              ]}
            >
              <Icon name="ellipsis" />
            </Menu>
          )}
        </div>
      )}
      <ul className="ends" aria-label={words('build:views.endings')}>
        {draft.endings.map((ending) => (
          <li key={ending.id}>
            <button type="button" className="item" onClick={() => go({ view: 'endings', at: ending.id }, true)}>
              <span />
              <Icon name="flag" />
              <bdi className="cut text">{shown(ending.title, draft) || ending.id}</bdi>
            </button>
          </li>
        ))}
        {draft.endings.length === 0 && (
          <li>
            <Button look="quiet" onClick={() => go({ view: 'endings' }, true)}>
              <Icon name="flag" isSmall />
              {words('build:usualEnding')}
            </Button>
          </li>
        )}
      </ul>
      {moving !== null && (
        <Suspense>
          <MoveTo
            place={questions.findIndex(({ id }) => id === moving) + 1}
            of={questions.length}
            onMove={(place) => {
              move(moving, place - 1)
              setMoving(null)
            }}
            onClose={() => setMoving(null)}
          />
        </Suspense>
      )}
      {state.pane === 'outline' && (
        <p className="only-narrow">
          <Button
            onClick={() => {
              go(currentId === undefined ? {} : { at: currentId })
              focusSteps()
            }}
          >
            {words('build:done')}
          </Button>
        </p>
      )}
    </div>
  )
})

/** Moves the focus to the button that opens the outline. Only a phone has it in sight. */
export function focusSteps(): void {
  document.querySelector<HTMLElement>('main .steps .place')?.focus()
}

interface RowProps {
  question: Question
  title: string
  at: number
  isCurrent: boolean
  problems: number
  when: string
  drop: '' | 'above' | 'below'
  mayEdit: boolean
  onOpen: (id: string) => void
  onGrip: (event: PointerEvent, at: number) => void
}

// Two hundred of these stand beside the text that somebody types.
const Row = memo(function Row({
  question,
  title,
  at,
  isCurrent,
  problems,
  when,
  drop,
  mayEdit,
  onOpen,
  onGrip,
}: RowProps) {
  const words = useWords()
  return (
    <li className={drop} data-id={question.id}>
      <button
        type="button"
        className="item"
        aria-current={isCurrent ? 'true' : undefined}
        tabIndex={isCurrent ? 0 : -1}
        aria-keyshortcuts={mayEdit ? 'Alt+ArrowUp Alt+ArrowDown' : undefined}
        onClick={() => onOpen(question.id)}
      >
        <span className="grip" aria-hidden="true" onPointerDown={(event) => mayEdit && onGrip(event, at)}>
          {mayEdit && <Icon name="grip-vertical" isSmall />}
        </span>
        <Icon name={menuOf(question.type).sign} />
        <bdi className="cut text">{title || <span className="faint">{words('build:untitled')}</span>}</bdi>
        {problems > 0 ? (
          <span className="warned">
            <Icon name="triangle-alert" />
            <span className="unseen">{words('build:problems', { count: problems })}</span>
          </span>
        ) : (
          <span className="faint figure">{at + 1}</span>
        )}
        {when !== '' && <span className="when cut">{when}</span>}
      </button>
    </li>
  )
})

/** Moves a row with the pointer. Keys have their own way. */
function useDrag(list: { current: HTMLOListElement | null }, move: (id: string, to: number) => void) {
  const [drag, setDrag] = useState<{ from: number | null; to: number | null }>({ from: null, to: null })
  const begin = useCallback(
    (event: PointerEvent, from: number) => {
      event.preventDefault()
      const rows = [...(list.current?.children ?? [])] as HTMLElement[]
      const id = rows[from]?.dataset['id']
      let to = from
      const follow = ({ clientY }: globalThis.PointerEvent) => {
        const found = rows.findIndex((row) => clientY < row.getBoundingClientRect().bottom)
        to = found === -1 ? rows.length - 1 : found
        const pane = list.current?.parentElement
        const box = pane?.getBoundingClientRect()
        if (pane && box) pane.scrollBy(0, clientY < box.top + 40 ? -12 : clientY > box.bottom - 40 ? 12 : 0)
        setDrag({ from, to: to === from ? null : to })
      }
      const end = ({ type }: Event) => {
        for (const name of ['pointerup', 'pointercancel'] as const) removeEventListener(name, end)
        removeEventListener('pointermove', follow)
        setDrag({ from: null, to: null })
        if (type === 'pointerup' && id !== undefined && to !== from) move(id, to)
      }
      addEventListener('pointermove', follow)
      for (const name of ['pointerup', 'pointercancel'] as const) addEventListener(name, end)
    },
    [list, move],
  )
  return { ...drag, begin }
}

/** The focus goes along when the keys choose or move a question, and stays where it is otherwise. */
function useFollowFocus(list: { current: HTMLOListElement | null }, currentId: string | undefined): void {
  useEffect(() => {
    const element = list.current?.querySelector<HTMLElement>('[aria-current]')
    element?.scrollIntoView({ block: 'nearest' })
    if (list.current?.contains(document.activeElement) === true && !isTyping(document.activeElement)) element?.focus()
  }, [list, currentId])
}
