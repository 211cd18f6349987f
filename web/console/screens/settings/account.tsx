import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent } from 'react'
import { ApiProblem } from '../../../api/client.ts'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { Note, Skeleton, Tag } from '../../../ui/parts.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useMe } from '../../app/me.ts'
import { Problem, reasonOf } from '../../frame/failure.tsx'
import { UnseenHead } from '../../frame/loaded.tsx'
import { answerOf, api } from '../../session/api.ts'
import { TimeAgo } from '../../words/time-ago.tsx'
import { useWords } from '../../words/words.ts'
import { Settings } from './layout.tsx'

/** One's own name, password and sessions. */
export function Account() {
  return (
    <Settings name="account">
      <Name />
      <Password />
      <Sessions />
    </Settings>
  )
}

function Name() {
  const words = useWords()
  const me = useMe()
  const client = useQueryClient()
  const save = useMutation({
    mutationFn: (name: string) => answerOf(api.PATCH('/v1/me', { body: { name } })),
    onSuccess: (next) => {
      client.setQueryData(['me'], next)
      toast({ text: words('settings:saved') })
    },
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    save.mutate(String(new FormData(event.currentTarget).get('name')).trim())
  }
  const issue = save.error instanceof ApiProblem ? save.error.issues[0]?.message : undefined
  return (
    <section className="section">
      <header>
        <h2>{words('settings:you')}</h2>
      </header>
      <form className="form" onSubmit={submit}>
        {save.error && issue === undefined && <Problem error={save.error} />}
        <Field
          key={me.user?.name}
          label={words('settings:name')}
          name="name"
          defaultValue={me.user?.name}
          maxLength={120}
          required
          error={issue}
        />
        <Field label={words('frame:email')} value={me.user?.email ?? ''} dir="ltr" readOnly />
        <div className="actions">
          <Button type="submit" isBusy={save.isPending}>
            {words('frame:save')}
          </Button>
        </div>
      </form>
    </section>
  )
}

function Password() {
  const words = useWords()
  const client = useQueryClient()
  const change = useMutation({
    mutationFn: (body: { current_password: string; new_password: string }) =>
      answerOf(api.POST('/v1/me/password', { body })),
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const given = new FormData(form)
    change.mutate(
      { current_password: String(given.get('current')), new_password: String(given.get('next')) },
      {
        onSuccess: () => {
          form.reset()
          toast({ text: words('settings:passwordChanged') })
          void client.invalidateQueries({ queryKey: ['sessions'] })
        },
      },
    )
  }
  const problem = change.error instanceof ApiProblem ? change.error : null
  const isWrong = problem?.code === 'wrong_password'
  const issue = problem?.issues.find(({ path }) => path === 'new_password')?.message
  return (
    <section className="section">
      <header>
        <h2>{words('frame:password')}</h2>
      </header>
      <form className="form" onSubmit={submit}>
        {change.error && !isWrong && issue === undefined && <Problem error={change.error} />}
        <Field
          label={words('settings:currentPassword')}
          name="current"
          type="password"
          autoComplete="current-password"
          required
          error={isWrong ? words('settings:wrongPassword') : undefined}
        />
        <Field
          label={words('settings:newPassword')}
          name="next"
          type="password"
          autoComplete="new-password"
          hint={words('frame:signUp.length')}
          minLength={10}
          required
          error={issue}
        />
        <Note icon="lock">{words('settings:passwordText')}</Note>
        <div className="actions">
          <Button type="submit" isBusy={change.isPending}>
            {words('settings:changePassword')}
          </Button>
        </div>
      </form>
    </section>
  )
}

function Sessions() {
  const words = useWords()
  const client = useQueryClient()
  const sessions = useQuery({
    queryKey: ['sessions'],
    queryFn: () => answerOf(api.GET('/v1/me/sessions', { params: { query: { limit: 100 } } })),
  })
  const refresh = () => void client.invalidateQueries({ queryKey: ['sessions'] })
  const end = useMutation({
    mutationFn: (id: string) => answerOf(api.DELETE('/v1/me/sessions/{id}', { params: { path: { id } } })),
    onError: (error) => toast({ text: reasonOf(error, words) }),
    onSettled: refresh,
  })
  const endOthers = useMutation({
    mutationFn: () => answerOf(api.DELETE('/v1/me/sessions')),
    onSuccess: () => toast({ text: words('settings:othersEnded') }),
    onError: (error) => toast({ text: reasonOf(error, words) }),
    onSettled: refresh,
  })
  const rows = sessions.data?.data ?? []
  return (
    <section className="section">
      <header>
        <h2>{words('settings:sessions')}</h2>
        {rows.length > 1 && (
          <div className="end">
            <Button look="quiet" isBusy={endOthers.isPending} onClick={() => endOthers.mutate()}>
              {words('settings:endOthers')}
            </Button>
          </div>
        )}
      </header>
      {sessions.error ? (
        <Problem error={sessions.error} onRetry={() => void sessions.refetch()} />
      ) : sessions.isPending ? (
        <Skeleton label={words('frame:loading')} rows={2} />
      ) : (
        <table className="table tall" aria-label={words('settings:sessions')}>
          <thead>
            <tr>
              <th>{words('settings:device')}</th>
              <th>{words('settings:lastUsed')}</th>
              <UnseenHead className="end">{words('list:menu')}</UnseenHead>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ id, current, workspace, last_used_at, client_ip, agent }) => (
              <tr key={id}>
                <td className="first">
                  <span className="pair">
                    <span className="strong cut">
                      {[agent.browser, agent.system].filter(Boolean).join(' · ') || words('settings:program')}{' '}
                      {current && <Tag>{words('settings:thisOne')}</Tag>}
                    </span>
                    <small className="cut">
                      <bdi>{workspace.name}</bdi> <span dir="ltr">{client_ip}</span>
                    </small>
                  </span>
                </td>
                <td className="faint nowrap">
                  <TimeAgo at={last_used_at} />
                </td>
                <td className="end">
                  {!current && (
                    <Button look="quiet" onClick={() => end.mutate(id)}>
                      {words('settings:end')}
                    </Button>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}
