import { expect, test } from 'vitest'
import { ListenError } from './config/start-words.ts'

const said = (code: string, setting: 'PORT' | 'WORKER_PORT' = 'PORT') =>
  new ListenError(Object.assign(new Error(`listen ${code}`), { code }), '10.0.0.9', 80, setting).message

test.each(['EADDRINUSE', 'EACCES', 'EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN', 'EINVAL', 'EAFNOSUPPORT', 'EMFILE'])(
  '%s names HOST and PORT and says what to do',
  (code) => {
    expect(said(code)).toMatch(/HOST/)
    expect(said(code)).toMatch(/\bPORT\b/)
    expect(said(code)).toMatch(/Set |set |Check /)
  },
)

test('a worker that cannot listen names WORKER_PORT', () => {
  expect(said('EADDRINUSE', 'WORKER_PORT')).toMatch(/set WORKER_PORT to another/)
  expect(said('EACCES', 'WORKER_PORT')).toMatch(/Set WORKER_PORT to one above 1023/)
})
