import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { ApiProblem, type Schemas } from '../../../../api/client.ts'
import { Button } from '../../../../ui/button.tsx'
import { CopyText } from '../../../../ui/copy-text.tsx'
import { Dialog } from '../../../../ui/dialog.tsx'
import { Field } from '../../../../ui/field.tsx'
import { Icon } from '../../../../ui/icon.tsx'
import { Skeleton } from '../../../../ui/parts.tsx'
import { toast } from '../../../../ui/toast.tsx'
import { useMay, useMe, membersQuery, rolesQuery } from '../../../app/me.ts'
import { Problem, reasonOf } from '../../../frame/failure.tsx'
import { Confirm } from '../../../frame/lazy-confirm.tsx'
import { RoleChoice, roleName, roleText } from '../../../frame/role-choice.tsx'
import { MailNote, useMailInFiles } from '../../../frame/mail-note.tsx'
import { UnseenHead } from '../../../frame/loaded.tsx'
import { answerOf, api } from '../../../session/api.ts'
import { formatNumber } from '../../../words/format.ts'
import { TimeAgo } from '../../../words/time-ago.tsx'
import { useWords } from '../../../words/words.ts'
import { Settings } from '../layout.tsx'

type Member = Schemas['Member']
type Role = Schemas['Role']

const MOST = 100

/** The members, and the people who are invited. */
export function Members() {
  const words = useWords()
  const mayManage = useMay('members.manage')
  const [isInviting, setInviting] = useState(false)
  const members = useQuery(membersQuery)
  const roles = useQuery(rolesQuery)
  const rows = members.data?.data ?? []
  return (
    <Settings
      name="members"
      end={
        mayManage && (
          <Button look="primary" onClick={() => setInviting(true)}>
            <Icon name="user-plus" isSmall />
            {words('settings:invite')}
          </Button>
        )
      }
    >
      {members.error ? (
        <Problem error={members.error} onRetry={() => void members.refetch()} />
      ) : members.isPending ? (
        <Skeleton label={words('frame:loading')} />
      ) : (
        <>
          <p className="lede" role="status">
            {words('settings:lede.members', { count: rows.length, n: formatNumber(rows.length) })}
          </p>
          <table className="table tall" aria-label={words('settings:places.members')}>
            <thead>
              <tr>
                <th>{words('settings:person')}</th>
                <th>{words('settings:role')}</th>
                <th className="wide">{words('settings:joined')}</th>
                <UnseenHead className="end">{words('list:menu')}</UnseenHead>
              </tr>
            </thead>
            <tbody>
              {rows.map((member) => (
                <MemberRow key={member.id} member={member} roles={roles.data?.data ?? []} mayManage={mayManage} />
              ))}
            </tbody>
          </table>
          {mayManage && <Invitations />}
        </>
      )}
      {isInviting && <Invite roles={roles.data?.data ?? []} onClose={() => setInviting(false)} />}
    </Settings>
  )
}

function MemberRow({ member, roles, mayManage }: { member: Member; roles: Role[]; mayManage: boolean }) {
  const words = useWords()
  const me = useMe()
  const client = useQueryClient()
  const [isRemoving, setRemoving] = useState(false)
  const refresh = () => void client.invalidateQueries({ queryKey: ['members'] })
  const path = { params: { path: { id: member.id } } }
  const change = useMutation({
    mutationFn: (role_id: string) => answerOf(api.PATCH('/v1/members/{id}', { ...path, body: { role_id } })),
    onSuccess: ({ role }) => {
      toast({ text: words('settings:changedRole', { name: member.name, role: roleName(role.name, words) }) })
      refresh()
    },
    onError: (error) => {
      toast({ text: reasonOf(error, words) })
      refresh()
    },
  })
  const remove = useMutation({
    mutationFn: () => answerOf(api.DELETE('/v1/members/{id}', path)),
    onSuccess: () => {
      setRemoving(false)
      toast({ text: words('settings:removed', { name: member.name }) })
      refresh()
    },
  })
  const isMe = member.id === me.user?.id
  const role = roles.find(({ id }) => id === member.role.id)
  return (
    <tr>
      <td className="first">
        <span className="pair">
          <span className="strong cut">
            <bdi>{member.name}</bdi>
            {isMe && <span className="faint"> {words('settings:you')}</span>}
          </span>
          <small className="cut">
            <bdi dir="ltr">{member.email}</bdi>
          </small>
        </span>
      </td>
      <td>
        {mayManage && !isMe ? (
          <select
            className="input"
            aria-label={words('settings:roleOf', { name: member.name })}
            value={member.role.id}
            title={role && roleText(role, words)}
            onChange={({ target }) => change.mutate(target.value)}
          >
            {roles.map(({ id, name }) => (
              <option key={id} value={id}>
                {roleName(name, words)}
              </option>
            ))}
          </select>
        ) : (
          <bdi title={role && roleText(role, words)}>{roleName(member.role.name, words)}</bdi>
        )}
      </td>
      <td className="faint nowrap wide">
        <TimeAgo at={member.joined_at} />
      </td>
      <td className="end">
        {mayManage && !isMe && (
          <Button look="quiet" onClick={() => setRemoving(true)}>
            {words('settings:remove')}
          </Button>
        )}
        {isRemoving && (
          <Confirm
            title={words('settings:removeTitle', { name: member.name })}
            verb={words('settings:remove')}
            act={remove}
            onClose={() => setRemoving(false)}
          >
            <p>{words('settings:removeText')}</p>
          </Confirm>
        )}
      </td>
    </tr>
  )
}

function Invitations() {
  const words = useWords()
  const client = useQueryClient()
  const invitations = useQuery({
    queryKey: ['member-invitations'],
    queryFn: () => answerOf(api.GET('/v1/members/invitations', { params: { query: { limit: MOST } } })),
  })
  const withdraw = useMutation({
    mutationFn: (id: string) => answerOf(api.DELETE('/v1/members/invitations/{id}', { params: { path: { id } } })),
    onSettled: () => void client.invalidateQueries({ queryKey: ['member-invitations'] }),
    onError: (error) => toast({ text: reasonOf(error, words) }),
  })
  const isInFiles = useMailInFiles()
  const link = useMutation({
    mutationFn: (id: string) => answerOf(api.POST('/v1/members/invitations/{id}/link', { params: { path: { id } } })),
    onError: (error) => toast({ text: reasonOf(error, words) }),
  })
  const open = invitations.data?.data ?? []
  const linked = open.find(({ id }) => id === link.variables)
  if (open.length === 0) return null
  return (
    <section className="section">
      <header>
        <h2>{words('settings:invited')}</h2>
      </header>
      <MailNote />
      {link.data && linked && (
        <div style={{ display: 'grid', gap: 8, marginBlock: 16 }}>
          <p role="status">{words('settings:handOver', { email: linked.email })}</p>
          <CopyText text={link.data.url} copy={words('frame:copy')} copied={words('frame:copied')} />
        </div>
      )}
      <table className="table tall" aria-label={words('settings:invited')}>
        <thead>
          <tr>
            <th>{words('frame:email')}</th>
            <th>{words('settings:role')}</th>
            <th className="wide">{words('settings:until')}</th>
            <UnseenHead className="end">{words('list:menu')}</UnseenHead>
          </tr>
        </thead>
        <tbody>
          {open.map(({ id, email, role, expires_at }) => (
            <tr key={id}>
              <td className="first cut" dir="ltr">
                {email}
              </td>
              <td>
                <bdi>{roleName(role.name, words)}</bdi>
              </td>
              <td className="faint nowrap wide">
                <TimeAgo at={expires_at} />
              </td>
              <td className="end">
                {isInFiles && (
                  <Button look="quiet" onClick={() => link.mutate(id)}>
                    {words('settings:link')}
                  </Button>
                )}
                <Button look="quiet" onClick={() => withdraw.mutate(id)}>
                  {words('settings:withdraw')}
                </Button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Invite({ roles, onClose }: { roles: Role[]; onClose: () => void }) {
  const words = useWords()
  const client = useQueryClient()
  const isInFiles = useMailInFiles()
  const invite = useMutation({
    mutationFn: (body: { email: string; role_id: string }) => answerOf(api.POST('/v1/members/invitations', { body })),
    onSuccess: ({ email }) => {
      toast({ text: words(isInFiles ? 'settings:written' : 'settings:sent', { email }) })
      void client.invalidateQueries({ queryKey: ['member-invitations'] })
      onClose()
    },
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    invite.mutate({ email: String(form.get('email')).trim(), role_id: String(form.get('role_id')) })
  }
  const issues = invite.error instanceof ApiProblem ? invite.error.issues : []
  return (
    <Dialog
      title={words('settings:invite')}
      closeLabel={words('frame:close')}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{words('frame:cancel')}</Button>
          <Button type="submit" form="invite-member" look="primary" isBusy={invite.isPending}>
            {words('settings:invite')}
          </Button>
        </>
      }
    >
      <form id="invite-member" className="form" onSubmit={submit} noValidate>
        <MailNote />
        {invite.error && issues.length === 0 && <Problem error={invite.error} />}
        <Field
          label={words('frame:email')}
          name="email"
          type="email"
          dir="ltr"
          required
          autoFocus
          error={issues.find(({ path }) => path === 'email')?.message}
        />
        <RoleChoice roles={roles} />
      </form>
    </Dialog>
  )
}
