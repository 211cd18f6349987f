import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState, type FormEvent } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { toast } from '../../../ui/toast.tsx'
import { membersQuery } from '../../app/me.ts'
import { Problem } from '../../frame/failure.tsx'
import { answerOf, api, issuesOf } from '../../session/api.ts'
import { useWords } from '../../words/words.ts'

const DESTINATIONS = ['download', 'email', 's3'] as const
type Destination = (typeof DESTINATIONS)[number]

const BUCKET = ['bucket', 'region', 'endpoint', 'prefix', 'access_key_id', 'secret_access_key'] as const
const OPTIONAL = new Set<string>(['endpoint', 'prefix'])

/** Keeps what an export takes under a name, and says where its files go. */
export function TemplateDialog({ order, onClose }: { order: object; onClose: () => void }) {
  const words = useWords()
  const client = useQueryClient()
  const navigate = useNavigate()
  const members = useQuery(membersQuery)
  const [type, setType] = useState<Destination>('download')
  const save = useMutation({
    mutationFn: (body: object) => answerOf(api.POST('/v1/export-templates', { body: body as never })),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: ['export-templates'] })
      toast({ text: words('exports:templateSaved') })
      void navigate({ to: '/app/exports/schedules' })
    },
  })
  const { issues, errorOf } = issuesOf(save.error)
  const isPlaced = issues.some(({ path }) => path === 'name' || BUCKET.some((each) => path === `destination.${each}`))
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const bucket = BUCKET.flatMap((name): Array<[string, string]> => {
      const value = String(form.get(name) ?? '').trim()
      return value === '' && OPTIONAL.has(name) ? [] : [[name, value]]
    })
    const destination =
      type === 's3'
        ? { type, ...Object.fromEntries(bucket) }
        : type === 'email'
          ? { type, recipients: form.getAll('recipients') }
          : { type }
    save.mutate({ ...order, name: String(form.get('name')).trim(), destination })
  }
  return (
    <Dialog
      title={words('exports:saveTemplate')}
      closeLabel={words('frame:close')}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{words('frame:cancel')}</Button>
          <Button type="submit" form="template" look="primary" isBusy={save.isPending}>
            {words('frame:save')}
          </Button>
        </>
      }
    >
      <form id="template" className="form" onSubmit={submit} noValidate>
        {save.error && !isPlaced && <Problem error={save.error} />}
        <Field
          label={words('list:fields.name')}
          name="name"
          maxLength={200}
          required
          autoFocus
          error={errorOf('name')}
        />
        <fieldset className="field">
          <legend className="label">{words('exports:goesTo')}</legend>
          <div className="segmented" style={{ justifySelf: 'start' }}>
            {DESTINATIONS.map((each) => (
              <button key={each} type="button" aria-pressed={type === each} onClick={() => setType(each)}>
                {words(`exports:destinations.${each}`)}
              </button>
            ))}
          </div>
          <span className="hint">{words(`exports:destinationHints.${type}`)}</span>
        </fieldset>
        {type === 'email' && (
          <fieldset className="field">
            <legend className="label">{words('exports:recipients')}</legend>
            {(members.data?.data ?? []).map(({ id, name, email }) => (
              <label key={id} className="check">
                <input type="checkbox" name="recipients" value={id} />
                <bdi>{name || email}</bdi>
              </label>
            ))}
          </fieldset>
        )}
        {type === 's3' &&
          BUCKET.map((name) => (
            <Field
              key={name}
              label={words(`exports:bucket.${name}`)}
              name={name}
              dir="ltr"
              type={name === 'secret_access_key' ? 'password' : 'text'}
              autoComplete="off"
              required={!OPTIONAL.has(name)}
              error={errorOf(`destination.${name}`)}
            />
          ))}
      </form>
    </Dialog>
  )
}
