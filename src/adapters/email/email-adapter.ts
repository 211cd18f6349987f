import type { EmailPort } from '../../platform/ports.ts'

/** An email port that lives as long as the process, and what it holds open. */
export interface EmailAdapter extends EmailPort {
  close(): Promise<void>
}
