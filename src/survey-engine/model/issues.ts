import type { Issue } from './definition.ts'
import { LIMITS } from './limits.ts'

/** Collects issues up to the ceiling, so that a hostile definition cannot make a huge report. */
export class Issues {
  readonly found: Issue[] = []

  /** True if it takes no more issues, so that checks can stop. */
  get isFull(): boolean {
    return this.found.length >= LIMITS.issues
  }

  add(path: string, message: string): void {
    if (!this.isFull) this.found.push({ path, message })
  }
}
