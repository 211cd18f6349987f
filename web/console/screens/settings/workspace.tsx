import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { Note, Skeleton } from '../../../ui/parts.tsx'
import { toast } from '../../../ui/toast.tsx'
import { orgQuery, useMay } from '../../app/me.ts'
import { Problem } from '../../frame/failure.tsx'
import { answerOf, api } from '../../session/api.ts'
import { issuesOf } from '../../session/problem.ts'
import { useWords } from '../../words/words.ts'
import { Settings } from './layout.tsx'

type Org = Awaited<ReturnType<typeof orgQuery.queryFn>>
type Change = Partial<Pick<Org, 'name' | 'timezone' | 'embed_origins' | 'remember_recipients'>>

/** Name, zone and websites. */
export function Workspace() {
  const words = useWords()
  const org = useQuery(orgQuery)
  return (
    <Settings name="workspace">
      {org.error ? (
        <Problem error={org.error} onRetry={() => void org.refetch()} />
      ) : org.data ? (
        <Form key={org.data.updated_at} org={org.data} />
      ) : (
        <Skeleton label={words('frame:loading')} />
      )}
    </Settings>
  )
}

const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

function Form({ org }: { org: Org }) {
  const words = useWords()
  const client = useQueryClient()
  const mayManage = useMay('org.manage')
  const [isChanged, setChanged] = useState(false)
  const save = useMutation({
    mutationFn: (body: Change) => answerOf(api.PATCH('/v1/org', { body: body as never })),
    onSuccess: (next) => {
      client.setQueryData(orgQuery.queryKey, next)
      void client.invalidateQueries({ queryKey: ['me'] })
      toast({ text: words('settings:saved') })
    },
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    save.mutate({
      name: String(form.get('name')).trim(),
      timezone: String(form.get('timezone')),
      embed_origins: linesOf(String(form.get('embed_origins'))),
      remember_recipients: form.get('remember_recipients') !== null,
    })
  }
  const { errorOf } = issuesOf(save.error)
  const isElsewhere = save.error && !['name', 'timezone', 'embed_origins'].some(errorOf)
  const zones = Intl.supportedValuesOf('timeZone')
  return (
    <form className="form" onSubmit={submit} onChange={() => setChanged(true)}>
      {isElsewhere && <Problem error={save.error} />}
      <fieldset className="form" disabled={!mayManage}>
        <Field
          label={words('settings:name')}
          name="name"
          defaultValue={org.name}
          maxLength={120}
          required
          error={errorOf('name')}
        />
        <div className="field">
          <label htmlFor="timezone">{words('settings:timezone')}</label>
          <select id="timezone" name="timezone" className="input" defaultValue={org.timezone} dir="ltr">
            {[...new Set([org.timezone, 'UTC', ...zones])].map((zone) => (
              <option key={zone}>{zone}</option>
            ))}
          </select>
        </div>
        <Lines
          name="embed_origins"
          label={words('settings:websites')}
          hint={words('settings:websitesHint')}
          value={org.embed_origins}
          error={errorOf('embed_origins')}
        />
        <label className="check">
          <input type="checkbox" name="remember_recipients" defaultChecked={org.remember_recipients} />
          {words('settings:remember')}
        </label>
      </fieldset>
      {mayManage ? (
        <div className="actions">
          <Button type="submit" look="primary" isBusy={save.isPending} disabled={!isChanged}>
            {words('frame:save')}
          </Button>
        </div>
      ) : (
        <Note icon="lock">{words('frame:forbidden.needs', { permission: words('frame:permissions.org.manage') })}</Note>
      )}
    </form>
  )
}

interface LinesProps {
  name: string
  label: string
  hint: string
  value: string[]
  error: string | undefined
}

/** A list of texts, one a line. */
function Lines({ name, label, hint, value, error }: LinesProps) {
  return (
    <div className="field">
      <label htmlFor={name}>{label}</label>
      <textarea
        id={name}
        name={name}
        className="input mono"
        dir="ltr"
        rows={Math.max(2, value.length + 1)}
        defaultValue={value.join('\n')}
        aria-invalid={error !== undefined}
        aria-describedby={`${name}-hint`}
      />
      <span className={error === undefined ? 'hint' : 'error'} id={`${name}-hint`}>
        {error ?? hint}
      </span>
    </div>
  )
}
