/** Work in parts, so that a large definition does not hold the event loop. */
export type Steps<Result> = Generator<undefined, Result>

/** Takes all steps at once. */
export function finish<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}
