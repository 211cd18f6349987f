import { useId, useState, type FormEvent } from 'react'
import { Button } from '../../../../ui/button.tsx'
import { Dialog } from '../../../../ui/dialog.tsx'
import { Field } from '../../../../ui/field.tsx'
import { formatLanguage } from '../../../words/format.ts'
import { useWords } from '../../../words/words.ts'

const COMMON =
  'ar bg bn ca cs da de el en es et fa fi fr ga he hi hr hu id is it ja ko lt lv ms nb nl pl pt pt-BR ro ru sk sl sq sr sv sw th tr uk ur vi zh-Hans zh-Hant'.split(
    ' ',
  )
const TAG = /^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8}){0,4}$/

interface Props {
  present: string[]
  onAdd: (language: string) => void
  onClose: () => void
}

/** By its name, or by its tag if the list lacks it. */
export function AddLanguage({ present, onAdd, onClose }: Props) {
  const words = useWords()
  const id = useId()
  const [typed, setTyped] = useState('')
  const names = new Map(COMMON.map((tag) => [formatLanguage(tag).toLowerCase(), tag]))
  const found = names.get(typed.trim().toLowerCase()) ?? typed.trim()
  const isWrong = typed !== '' && (!TAG.test(found) || present.includes(found))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isWrong && typed !== '') onAdd(found)
  }
  return (
    <Dialog
      title={words('build:addLanguage')}
      closeLabel={words('frame:close')}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{words('frame:cancel')}</Button>
          <Button type="submit" form={id} look="primary" disabled={isWrong || typed === ''}>
            {words('build:addVerb')}
          </Button>
        </>
      }
    >
      <form id={id} onSubmit={submit}>
        <Field
          label={words('build:language')}
          hint={words('build:languageHint')}
          list={`${id}-names`}
          value={typed}
          error={isWrong && present.includes(found) ? words('build:languageThere') : undefined}
          onChange={({ target }) => setTyped(target.value)}
        />
        <datalist id={`${id}-names`}>
          {COMMON.filter((tag) => !present.includes(tag)).map((tag) => (
            <option key={tag} value={formatLanguage(tag)}>
              {tag}
            </option>
          ))}
        </datalist>
      </form>
    </Dialog>
  )
}
