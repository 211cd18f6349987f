import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { FormEvent } from 'react'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Note } from '../../ui/parts.tsx'
import { reasonOf } from '../frame/failure.tsx'
import { useWords } from '../words/words.ts'
import { answerOf, api, issuesOf } from './api.ts'
import { Entry } from './entry.tsx'
import { beginSession } from './session.ts'
import { signupsQuery } from './sign-in.tsx'

const MEMBERS = ['workspace_name', 'name', 'email', 'password'] as const

/** Makes a workspace and signs in to it. The first run goes on at the same address. */
export function SignUp() {
  const words = useWords()
  const signups = useQuery(signupsQuery)
  const signUp = useMutation({
    mutationFn: (body: Record<(typeof MEMBERS)[number], string>) => answerOf(api.POST('/public/workspaces', { body })),
    onSuccess: ({ token }) => beginSession(token),
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const body = Object.fromEntries(MEMBERS.map((name) => [name, String(form.get(name))]))
    signUp.mutate(body as Record<(typeof MEMBERS)[number], string>)
  }
  const { issues, errorOf } = issuesOf(signUp.error)
  return (
    <Entry title={words('frame:signUp.title')}>
      <h1 className="lede" tabIndex={-1}>
        {words('frame:signUp.title')}
      </h1>
      {signups.data?.enabled === false ? (
        <p className="sub">{words('frame:signUp.closed')}</p>
      ) : (
        <form className="form" style={{ marginTop: 20 }} onSubmit={submit} noValidate>
          {signUp.error && issues.length === 0 && <Note tone="bad">{reasonOf(signUp.error, words)}</Note>}
          <Field
            label={words('frame:signUp.workspace')}
            name="workspace_name"
            autoComplete="organization"
            required
            className="big"
            error={errorOf('workspace_name')}
          />
          <Field
            label={words('frame:signUp.name')}
            name="name"
            autoComplete="name"
            required
            className="big"
            error={errorOf('name')}
          />
          <Field
            label={words('frame:email')}
            name="email"
            type="email"
            autoComplete="username"
            dir="ltr"
            required
            className="big"
            error={errorOf('email')}
          />
          <Field
            label={words('frame:password')}
            hint={words('frame:signUp.length')}
            name="password"
            type="password"
            autoComplete="new-password"
            required
            className="big"
            error={errorOf('password')}
          />
          <Button
            type="submit"
            look="primary"
            size="big"
            isBusy={signUp.isPending}
            busyText={words('frame:signUp.busy')}
          >
            {words('frame:signUp.title')}
          </Button>
        </form>
      )}
      <p className="soft" style={{ marginTop: 20 }}>
        {words('frame:signUp.known')}{' '}
        <Link className="link" to="/app">
          {words('frame:signIn.title')}
        </Link>
      </p>
    </Entry>
  )
}
