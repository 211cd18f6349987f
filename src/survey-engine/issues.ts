import type { Issue } from './definition.ts'
import { LIMITS } from './limits.ts'

/** Collects issues up to the ceiling, so that a hostile definition cannot make a huge report. */
export class Issues {
  readonly found: Issue[] = []

  add(path: string, message: string): void {
    if (this.found.length < LIMITS.issues) this.found.push({ path, message })
  }
}
