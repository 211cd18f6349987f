export interface Finding {
  check: string
  state: 'ok' | 'warn' | 'fail'
  says: string
  /** The next step of the operator. Null if all is well. */
  todo: string | null
}

export function ok(check: string, says: string): Finding {
  return { check, state: 'ok', says, todo: null }
}

export function warn(check: string, says: string, todo: string): Finding {
  return { check, state: 'warn', says, todo }
}

export function fail(check: string, says: string, todo: string): Finding {
  return { check, state: 'fail', says, todo }
}
