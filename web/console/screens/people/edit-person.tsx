import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import type { Schemas } from '../../../api/client.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { toast } from '../../../ui/toast.tsx'
import { Problem } from '../../frame/failure.tsx'
import { answerOf, api, issuesOf } from '../../session/api.ts'
import { useWords } from '../../words/words.ts'
import { changedAttributes, type Draft } from './attributes.ts'

const FIELDS = ['name', 'email', 'phone', 'external_id'] as const
const TYPES = { name: 'text', email: 'email', phone: 'tel', external_id: 'text' } as const

/** Changes who somebody is: name, addresses and attributes. */
export function EditPerson({ person, onClose }: { person: Schemas['Person']; onClose: () => void }) {
  const words = useWords()
  const client = useQueryClient()
  const before = person.attributes ?? {}
  const [drafts, setDrafts] = useState<Draft[]>(() =>
    Object.entries(before).map(([name, value]) => ({ name, text: String(value) })),
  )
  const save = useMutation({
    mutationFn: (body: Schemas['UpdatePerson']) =>
      answerOf(api.PATCH('/v1/people/{id}', { params: { path: { id: person.id } }, body })),
    onSuccess: (next) => {
      client.setQueryData(['person', person.id], next)
      void client.invalidateQueries({ queryKey: ['people'] })
      toast({ text: words('people:saved') })
      onClose()
    },
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const changed = FIELDS.map((name) => [name, String(form.get(name)).trim()] as const).filter(
      ([name, value]) => value !== (person[name] ?? ''),
    )
    save.mutate({
      ...Object.fromEntries(changed.map(([name, value]) => [name, value === '' ? null : value])),
      attributes: changedAttributes(before, drafts),
    })
  }
  const change = (at: number, part: Partial<Draft>) =>
    setDrafts(drafts.map((draft, place) => (place === at ? { ...draft, ...part } : draft)))
  const { errorOf } = issuesOf(save.error)
  return (
    <Dialog
      title={words('people:edit')}
      closeLabel={words('frame:close')}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{words('frame:cancel')}</Button>
          <Button type="submit" form="edit-person" look="primary" isBusy={save.isPending}>
            {words('frame:save')}
          </Button>
        </>
      }
    >
      <form id="edit-person" className="form" onSubmit={submit} noValidate>
        {save.error && !FIELDS.some(errorOf) && <Problem error={save.error} />}
        {FIELDS.map((name) => (
          <Field
            key={name}
            label={words(name === 'name' ? 'people:targets.name' : `list:fields.${name}`)}
            name={name}
            type={TYPES[name]}
            {...(name === 'name' ? { autoFocus: true } : { dir: 'ltr' })}
            defaultValue={person[name] ?? ''}
            error={errorOf(name)}
          />
        ))}
        <fieldset className="attribute-rows">
          <legend className="label">{words('people:attributes')}</legend>
          {drafts.map(({ name, text }, at) => (
            <div key={at}>
              <input
                className="input"
                aria-label={words('people:attributeName')}
                placeholder={words('people:attributeName')}
                maxLength={64}
                value={name}
                onChange={({ target }) => change(at, { name: target.value })}
              />
              <input
                className="input"
                aria-label={words('people:valueOf', { name })}
                maxLength={1000}
                value={text}
                onChange={({ target }) => change(at, { text: target.value })}
              />
              <Button
                look="quiet"
                size="square"
                aria-label={words('people:takeOff', { name })}
                onClick={() => setDrafts(drafts.filter((_, place) => place !== at))}
              >
                <Icon name="x" isSmall />
              </Button>
            </div>
          ))}
          <Button look="quiet" onClick={() => setDrafts([...drafts, { name: '', text: '' }])}>
            <Icon name="plus" isSmall />
            {words('people:addAttribute')}
          </Button>
        </fieldset>
      </form>
    </Dialog>
  )
}
