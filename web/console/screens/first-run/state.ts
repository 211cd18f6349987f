export type Step = 'survey' | 'answer' | 'invite'

/** The place in the first run, as the address says it, so that a reload goes on where it was. */
export interface FirstRunState {
  step?: Step
  survey?: string
  receiver?: string
}

export function readFirstRun({ step, survey, receiver }: Record<string, unknown>): FirstRunState {
  return {
    ...((step === 'answer' || step === 'invite') && { step }),
    ...(typeof survey === 'string' && { survey }),
    ...(typeof receiver === 'string' && { receiver }),
  }
}
