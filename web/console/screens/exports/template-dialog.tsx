import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState, type FormEvent } from 'react'
import type { Schemas } from '../../../api/client.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { Note } from '../../../ui/parts.tsx'
import { toast } from '../../../ui/toast.tsx'
import { membersQuery, orgQuery } from '../../app/me.ts'
import { Problem } from '../../frame/failure.tsx'
import { ScheduleFields, type Schedule } from '../../schedules/schedule.tsx'
import { answerOf, api, issuesOf } from '../../session/api.ts'
import { useWords } from '../../words/words.ts'

const DESTINATIONS = ['download', 'email', 's3'] as const
type Destination = (typeof DESTINATIONS)[number]
type Template = Schemas['ExportTemplate']

const WEEKLY = { cron: '0 6 * * 1' }

const BUCKET = ['bucket', 'region', 'endpoint', 'prefix', 'access_key_id', 'secret_access_key'] as const
const OPTIONAL = new Set<string>(['endpoint', 'prefix'])

interface Props {
  order: { source: string }
  /** The name, until another is written. */
  name?: string
  /** Says when it runs, too. */
  isRepeated?: boolean
  onClose: () => void
}

/** Keeps what an export takes under a name, says where its files go, and when it runs by itself. */
export function TemplateDialog({ order, name = '', isRepeated = false, onClose }: Props) {
  const words = useWords()
  const client = useQueryClient()
  const navigate = useNavigate()
  const members = useQuery(membersQuery)
  const org = useQuery(orgQuery)
  const [type, setType] = useState<Destination>('download')
  const [when, setWhen] = useState<Schedule | null>(isRepeated ? { ...WEEKLY, timezone: '' } : null)
  const timezone = when?.timezone || org.data?.timezone || 'UTC'
  // It stays when its schedule is refused, so that the next try changes it.
  const [kept, setKept] = useState<Template | null>(null)
  const save = useMutation({
    mutationFn: async ({ source, ...rest }: { source: string; name: string; destination: object }) => {
      const template = await answerOf(
        kept
          ? api.PATCH('/v1/export-templates/{id}', { params: { path: { id: kept.id } }, body: rest as never })
          : api.POST('/v1/export-templates', { body: { source, ...rest } as never }),
      )
      setKept(template)
      if (when === null) return null
      return answerOf(
        api.POST('/v1/export-schedules', { body: { template_id: template.id, cron: when.cron, timezone } }),
      )
    },
    onSuccess: (schedule) => {
      toast({ text: words(schedule ? 'exports:scheduleSaved' : 'exports:templateSaved') })
      void navigate({ to: '/app/exports/schedules' })
    },
    onSettled: () => {
      void client.invalidateQueries({ queryKey: ['export-templates'] })
      void client.invalidateQueries({ queryKey: ['export-schedules'] })
    },
  })
  const { issues, errorOf } = issuesOf(save.error)
  const isPlaced = issues.some(
    ({ path }) => path === 'name' || path === 'cron' || BUCKET.some((each) => path === `destination.${each}`),
  )
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
      title={words(isRepeated ? 'exports:repeatTitle' : 'exports:saveTemplate')}
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
          defaultValue={name}
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
        <label className="check">
          <input
            type="checkbox"
            checked={when !== null}
            onChange={({ target }) => setWhen(target.checked ? { ...WEEKLY, timezone } : null)}
          />
          {words('exports:byItself')}
        </label>
        {when !== null && (
          <>
            <ScheduleFields schedule={{ ...when, timezone }} error={errorOf('cron')} onChange={setWhen} />
            <Note>{words('exports:actsAsYou')}</Note>
          </>
        )}
      </form>
    </Dialog>
  )
}
