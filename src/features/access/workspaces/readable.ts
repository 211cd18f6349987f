import { unprocessable } from '../../../http/problems/problem.ts'
import { isGround } from '../../../platform/look/accent.ts'

/** @throws Problem 422 for a look with a background that nobody could read on. */
export function requireReadable(
  look: { background?: string | null | undefined } | null | undefined,
  path: string,
): void {
  if (!look?.background || isGround(look.background)) return
  const message = 'Text would be hard to read on this colour. Choose a lighter or a darker one.'
  throw unprocessable('low_contrast', [{ path: `${path}.background`, message }])
}
