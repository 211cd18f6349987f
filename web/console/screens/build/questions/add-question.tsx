import { useEffect } from 'react'
import { Icon } from '../../../../ui/icon.tsx'
import { Menu } from '../../../../ui/menu.tsx'
import { isAct } from '../../../shortcuts/shortcuts.ts'
import { presentLanguage, useWords } from '../../../words/words.ts'
import { menuOf, FAMILIES, typeTitle } from '../../../../../src/survey-engine/types/registry.ts'
import type { QuestionType } from '../../../../../src/survey-engine/model/definition.ts'
import { addLine, addQuestion } from '../model/edits.ts'
import { useBuilder } from '../use-builder.ts'

interface Props {
  /** The question that the new one follows; the last one unless given. */
  after: string | undefined
  onAdded: (id: string) => void
  /** Beside other buttons of a phone. */
  isSmall?: boolean
}

const KEY = 'n'
const MOST_QUESTIONS = 200

/** `N` opens the menu of question types that is in sight. */
export function useAddKey(mayEdit: boolean): void {
  useEffect(() => {
    if (!mayEdit) return
    const press = (event: KeyboardEvent) => {
      if (event.key !== KEY || !isAct(event)) return
      event.preventDefault()
      const menus = [...document.querySelectorAll<HTMLElement>('main .add')]
      menus.find((menu) => menu.checkVisibility())?.click()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [mayEdit])
}

/** The menu of question types. */
export function AddQuestion({ after, onAdded, isSmall = false }: Props) {
  const words = useWords()
  const builder = useBuilder()
  const add = (type: QuestionType) => {
    const { draft } = builder.get()
    const place = after === undefined ? -1 : draft.questions.findIndex(({ id }) => id === after)
    const [added, question] = addQuestion(draft, type, place === -1 ? undefined : place + 1)
    let next = added
    for (const name of ['choices', 'rows', 'columns'])
      if (name in question)
        for (const number of [1, 2]) next = addLine(next, question.id, name, words('build:line', { number }))
    builder.edit(() => next)
    builder.say(
      words('build:said.added', {
        type: typeTitle(type, presentLanguage()),
        place: next.questions.findIndex(({ id }) => id === question.id) + 1,
      }),
    )
    builder.added = question.id
    onAdded(question.id)
  }
  return (
    <Menu
      className="add"
      {...(isSmall && { size: 'square', label: words('build:question') })}
      groups={FAMILIES.map(({ name, types }) => ({
        title: words(`build:families.${name}`),
        items: types.map((type) => ({
          label: typeTitle(type, presentLanguage()),
          icon: menuOf(type).sign,
          onChoose: () => add(type),
          isDisabled: builder.get().draft.questions.length >= MOST_QUESTIONS,
        })),
      }))}
    >
      <Icon name="plus" isSmall />
      {!isSmall && (
        <>
          {words('build:question')}
          <kbd>{KEY.toUpperCase()}</kbd>
        </>
      )}
    </Menu>
  )
}
