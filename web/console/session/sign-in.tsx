import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState, type FormEvent } from 'react'
import { ApiProblem } from '../../api/client.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Note } from '../../ui/parts.tsx'
import { reasonOf } from '../frame/failure.tsx'
import { useWords, type Words } from '../words/words.ts'
import { answerOf, api } from './api.ts'
import { Entry } from './entry.tsx'
import { beginSession } from './session.ts'

export const signupsQuery = {
  queryKey: ['signups'],
  queryFn: () => answerOf(api.GET('/public/signups')),
  staleTime: 60_000,
}

export function SignIn({ wasEnded }: { wasEnded: boolean }) {
  const words = useWords()
  const [isForgotten, setForgotten] = useState(false)
  const signups = useQuery(signupsQuery)
  return (
    <Entry title={words(isForgotten ? 'frame:forgotten.title' : 'frame:signIn.title')}>
      {isForgotten ? (
        <Forgotten onBack={() => setForgotten(false)} />
      ) : (
        <SignInForm wasEnded={wasEnded} onForgotten={() => setForgotten(true)} />
      )}
      {signups.data?.enabled === true && (
        <p className="soft" style={{ marginTop: 20 }}>
          {words('frame:signIn.new')}{' '}
          <Link className="link" to="/app/welcome">
            {words('frame:signIn.create')}
          </Link>
        </p>
      )}
    </Entry>
  )
}

function SignInForm({ wasEnded, onForgotten }: { wasEnded: boolean; onForgotten: () => void }) {
  const words = useWords()
  const signIn = useMutation({
    mutationFn: (body: { email: string; password: string }) => answerOf(api.POST('/public/sessions', { body })),
    onSuccess: ({ token }) => beginSession(token),
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    signIn.mutate({ email: String(form.get('email')), password: String(form.get('password')) })
  }
  const isWrong = signIn.error instanceof ApiProblem && [400, 401].includes(signIn.error.status)
  return (
    <>
      <h1 className="lede" tabIndex={-1}>
        {words('frame:signIn.title')}
      </h1>
      <form className="form" style={{ marginTop: 20 }} onSubmit={submit} noValidate>
        {signIn.error ? (
          <Note tone="bad">{refusalOf(signIn.error, words)}</Note>
        ) : (
          wasEnded && <Note>{words('frame:signIn.ended')}</Note>
        )}
        <Field
          label={words('frame:email')}
          name="email"
          type="email"
          autoComplete="username"
          dir="ltr"
          required
          aria-invalid={isWrong || undefined}
          className="big"
        />
        <Field
          label={words('frame:password')}
          aside={
            <button type="button" className="link" onClick={onForgotten}>
              {words('frame:signIn.forgotten')}
            </button>
          }
          name="password"
          type="password"
          autoComplete="current-password"
          required
          aria-invalid={isWrong || undefined}
          className="big"
        />
        <Button type="submit" look="primary" size="big" isBusy={signIn.isPending} busyText={words('frame:signIn.busy')}>
          {words('frame:signIn.title')}
        </Button>
      </form>
    </>
  )
}

function Forgotten({ onBack }: { onBack: () => void }) {
  const words = useWords()
  const ask = useMutation({
    mutationFn: (email: string) => answerOf(api.POST('/public/password-resets', { body: { email } })),
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    ask.mutate(String(new FormData(event.currentTarget).get('email')))
  }
  return (
    <>
      <h1 className="lede" tabIndex={-1}>
        {words('frame:forgotten.title')}
      </h1>
      <form className="form" style={{ marginTop: 20 }} onSubmit={submit} noValidate>
        {ask.error && <Note tone="bad">{reasonOf(ask.error, words)}</Note>}
        {ask.isSuccess ? (
          <Note icon="mail">{words('frame:forgotten.sent')}</Note>
        ) : (
          <>
            <Field
              label={words('frame:email')}
              name="email"
              type="email"
              autoComplete="username"
              dir="ltr"
              required
              className="big"
            />
            <Button type="submit" look="primary" size="big" isBusy={ask.isPending}>
              {words('frame:forgotten.send')}
            </Button>
          </>
        )}
        <button type="button" className="link" onClick={onBack}>
          {words('frame:forgotten.back')}
        </button>
      </form>
    </>
  )
}

function refusalOf(error: Error, words: Words): string {
  if (!(error instanceof ApiProblem)) return reasonOf(error, words)
  if (error.code === 'no_workspace') return words('frame:signIn.noWorkspace')
  return [400, 401].includes(error.status) ? words('frame:signIn.wrong') : reasonOf(error, words)
}
