import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { FormEvent } from 'react'
import { ApiProblem } from '../../../api/client.ts'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { Note } from '../../../ui/parts.tsx'
import { useMay } from '../../app/me.ts'
import { rolesQuery } from '../../app/me.ts'
import { Problem } from '../../frame/failure.tsx'
import { MailNote, useMailInFiles } from '../../frame/mail-note.tsx'
import { RoleChoice } from '../../frame/role-choice.tsx'
import { answerOf, api } from '../../session/api.ts'
import { useWords } from '../../words/words.ts'

/** Invites a colleague with a role. They get a link by mail. */
export function InviteColleague() {
  const words = useWords()
  const mayInvite = useMay('members.manage')
  const roles = useQuery({ ...rolesQuery, enabled: mayInvite })
  const isInFiles = useMailInFiles()
  const invite = useMutation({
    mutationFn: (body: { email: string; role_id: string }) => answerOf(api.POST('/v1/members/invitations', { body })),
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const given = new FormData(form)
    invite.mutate(
      { email: String(given.get('email')).trim(), role_id: String(given.get('role_id')) },
      { onSuccess: () => form.reset() },
    )
  }
  const emailIssue =
    invite.error instanceof ApiProblem ? invite.error.issues.find(({ path }) => path === 'email')?.message : undefined
  const own = roles.data?.data ?? []
  return (
    <>
      <h1 className="lede" tabIndex={-1} style={{ marginTop: 24 }}>
        {words('first-run:inviteTitle')}
      </h1>
      <p className="sub">{words('first-run:inviteText')}</p>
      {own.length > 0 && (
        <form className="form" onSubmit={submit} style={{ maxWidth: 420, marginTop: 20 }} noValidate>
          <MailNote />
          {invite.error && emailIssue === undefined && <Problem error={invite.error} />}
          {invite.data && (
            <Note icon="mail">
              {words(isInFiles ? 'first-run:written' : 'first-run:invited', { email: invite.data.email })}
            </Note>
          )}
          <Field
            label={words('frame:email')}
            name="email"
            type="email"
            dir="ltr"
            className="big"
            required
            error={emailIssue}
          />
          <RoleChoice roles={own} className="big" />
          <div className="actions">
            <Button type="submit" size="big" isBusy={invite.isPending}>
              {words('first-run:invite')}
            </Button>
          </div>
        </form>
      )}
      <p style={{ marginTop: 24 }}>
        <Link className="button primary big" to="/app/responses">
          {words('first-run:toConsole')}
        </Link>
      </p>
    </>
  )
}
