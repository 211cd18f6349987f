/** Waits until typing has paused. @throws the reason of the signal if the question changed before that */
export async function afterPause(signal: AbortSignal, ms = 300): Promise<void> {
  await new Promise((resume) => setTimeout(resume, ms))
  signal.throwIfAborted()
}
