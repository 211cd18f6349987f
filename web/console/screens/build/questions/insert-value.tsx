import { Menu } from '../../../../ui/menu.tsx'
import { useWords } from '../../../words/words.ts'
import { shown, insertAt, pipeable, placeholder } from '../model/texts.ts'
import { useDraft } from '../use-builder.ts'

type TextControl = HTMLInputElement | HTMLTextAreaElement

let last: { control: TextControl; start: number; end: number } | null = null

/** For a text that may hold placeholders: remembers where the cursor is. */
export function rememberCursor({ currentTarget }: { currentTarget: TextControl }): void {
  const { selectionStart, selectionEnd, value } = currentTarget
  last = { control: currentTarget, start: selectionStart ?? value.length, end: selectionEnd ?? value.length }
}

/** Writes as if somebody typed, so that the field is saved like any other text. */
function type(control: TextControl, text: string, cursor: number): void {
  const kind = control instanceof HTMLTextAreaElement ? HTMLTextAreaElement : HTMLInputElement
  Object.getOwnPropertyDescriptor(kind.prototype, 'value')?.set?.call(control, text)
  control.dispatchEvent(new Event('input', { bubbles: true }))
  setTimeout(() => {
    control.focus()
    control.setSelectionRange(cursor, cursor)
  })
}

/** Puts an earlier answer, a custom field or a variable where the cursor was, or at the end of the title. */
export function InsertValue({ place }: { place: number | null }) {
  const words = useWords()
  const draft = useDraft()
  const { questions, fields, variables } = pipeable(draft, place)
  const insert = (source: 'answer' | 'custom' | 'variable', name: string) => {
    const found = last?.control.isConnected === true ? last : null
    const control = found?.control ?? document.querySelector<TextControl>('.editor .title')
    if (!control) return
    const { length } = control.value
    const next = insertAt(control.value, found?.start ?? length, found?.end ?? length, placeholder(source, name))
    type(control, next.text, next.cursor)
  }
  const groups = [
    {
      title: words('build:insert.answers'),
      items: questions.map((question) => ({
        label: shown(question.title, draft) || question.id,
        onChoose: () => insert('answer', question.id),
      })),
    },
    {
      title: words('build:insert.fields'),
      items: fields.map((name) => ({ label: name, onChoose: () => insert('custom', name) })),
    },
    {
      title: words('build:insert.variables'),
      items: variables.map((name) => ({ label: name, onChoose: () => insert('variable', name) })),
    },
  ].filter(({ items }) => items.length > 0)
  if (groups.length === 0) return null
  return (
    <Menu groups={groups} className="link">
      {words('build:insert.open')} <span dir="ltr">{'{{ }}'}</span>
    </Menu>
  )
}
