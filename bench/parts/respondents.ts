import { fork } from 'node:child_process'
import { ask } from './rig.ts'
import type { Order, Submitted } from './submissions.ts'

/** Those who submit, in a process of their own. */
export interface Respondents {
  pid: number
  begin(order: Order): void
  /** How many submissions were accepted so far. Throws when one was refused. */
  accepted(): Promise<number>
  /** Resolves once every submission was answered. */
  end(): Promise<void>
  close(): void
}

export function startRespondents(): Respondents {
  const child = fork(new URL('submissions.ts', import.meta.url), { stdio: 'inherit' })
  const answered = async (question: 'accepted' | 'stop') => {
    const { accepted, refusal } = await ask<Submitted>(child, question)
    if (refusal) throw new Error(`a submission was refused with ${refusal}`)
    return accepted
  }
  return {
    pid: child.pid ?? 0,
    begin: (order) => void child.send(order),
    accepted: () => answered('accepted'),
    end: async () => void (await answered('stop')),
    close: () => child.disconnect(),
  }
}
