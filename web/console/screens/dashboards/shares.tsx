import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { toast } from '../../../ui/toast.tsx'
import { Problem, reasonOf } from '../../frame/failure.tsx'
import { Loaded } from '../../frame/loaded.tsx'
import { answerOf, api, issuesOf } from '../../session/api.ts'
import { formatMoment } from '../../words/format.ts'
import { TimeAgo } from '../../words/time-ago.tsx'
import { useWords } from '../../words/words.ts'
import { dashboardQuery } from '../../boards/stored.ts'
import type { Dashboard } from '../../boards/queries.ts'

const SecretOnce = lazy(() =>
  import('../../endpoints/secret-once.tsx').then(({ SecretOnce }) => ({ default: SecretOnce })),
)

/** Links to a dashboard for people without an account. */
export function Shares({ id, onClose }: { id: string; onClose: () => void }) {
  const words = useWords()
  const client = useQueryClient()
  const read = useQuery(dashboardQuery(id))
  const [token, setToken] = useState<string | null>(null)
  const reread = () => {
    void client.invalidateQueries({ queryKey: ['dashboard', id] })
    void client.invalidateQueries({ queryKey: ['dashboards'] })
  }
  const create = useMutation({
    mutationFn: (body: { password?: string; expires_at?: string }) =>
      answerOf(api.POST('/v1/dashboards/{id}/share', { params: { path: { id } }, body })),
    onSuccess: (made) => {
      reread()
      setToken(made.token)
    },
  })
  const { issues, errorOf } = issuesOf(create.error)
  if (token !== null)
    return (
      <Suspense>
        <SecretOnce
          title={words('dashboards:share')}
          once={words('dashboards:linkOnce')}
          secret={`${location.origin}/public/d/${token}`}
          onCopied={onClose}
        />
      </Suspense>
    )
  return (
    <Dialog title={words('dashboards:share')} closeLabel={words('frame:close')} onClose={onClose}>
      <p className="soft">{words('dashboards:shareText')}</p>
      <Loaded query={read} skeletonRows={2}>
        {({ dashboard: { shares } }) =>
          shares.length > 0 && (
            <ul className="rows">
              {shares.map((share) => (
                <Share key={share.id} dashboardId={id} share={share} onEnded={reread} />
              ))}
            </ul>
          )
        }
      </Loaded>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault()
          const form = new FormData(event.currentTarget)
          const password = String(form.get('password'))
          const end = String(form.get('expires_at'))
          create.mutate({ ...(password !== '' && { password }), ...(end !== '' && { expires_at: end }) })
        }}
      >
        {create.error && issues.length === 0 && <Problem error={create.error} />}
        <Field
          label={words('dashboards:password')}
          hint={words('dashboards:passwordHint')}
          name="password"
          type="password"
          autoComplete="new-password"
          maxLength={200}
          error={errorOf('password')}
        />
        <Field
          label={words('dashboards:lastDay')}
          hint={words('dashboards:lastDayHint')}
          name="expires_at"
          type="date"
          error={errorOf('expires_at')}
        />
        <p>
          <Button type="submit" look="primary" isBusy={create.isPending}>
            {words('dashboards:makeLink')}
          </Button>
        </p>
      </form>
    </Dialog>
  )
}

interface ShareProps {
  dashboardId: string
  share: Dashboard['shares'][number]
  onEnded: () => void
}

function Share({ dashboardId, share, onEnded }: ShareProps) {
  const words = useWords()
  const { id, has_password: hasPassword, expires_at: end, created_at: at } = share
  const revoke = useMutation({
    mutationFn: () =>
      answerOf<unknown>(
        api.DELETE('/v1/dashboards/{id}/share/{sid}', { params: { path: { id: dashboardId, sid: id } } }),
      ),
    onSuccess: () => {
      onEnded()
      toast({ text: words('dashboards:ended') })
    },
    onError: (error) => toast({ text: reasonOf(error, words) }),
  })
  return (
    <li>
      <div className="grow">
        <span>
          {words('dashboards:linkOf')} <TimeAgo at={at} />
        </span>
        <p className="meta">
          <span>{words(hasPassword ? 'dashboards:withPassword' : 'dashboards:withoutPassword')}</span>
          <span>{end === null ? words('dashboards:noEnd') : words('dashboards:until', { at: formatMoment(end) })}</span>
        </p>
      </div>
      <Button look="danger" isBusy={revoke.isPending} onClick={() => revoke.mutate()}>
        {words('dashboards:end')}
      </Button>
    </li>
  )
}
