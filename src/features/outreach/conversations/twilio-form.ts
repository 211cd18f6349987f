import { badRequest } from '../../../http/problem.ts'

/** One parameter that a request of the provider cannot do without. @throws Problem 400 where it is absent or has another form. */
export function needed(form: URLSearchParams, name: string): string {
  const value = form.get(name) ?? ''
  if (!/^[\w+:.@ -]{1,64}$/.test(value)) throw badRequest([{ path: name, message: 'This is missing or has another form.' }])
  return value
}

/** What somebody wrote or said; NUL characters, which nobody types, are left out. */
export function textOf(form: URLSearchParams, name: string): string {
  return (form.get(name) ?? '').replaceAll('\0', '').toWellFormed().slice(0, MOST_CHARS)
}

// Twilio joins the parts of a long message, up to 1,600 characters.
const MOST_CHARS = 10_000
