import type { Schemas } from '../../../api/client.ts'

export const WIDTHS = ['desktop', 'phone', 'text'] as const
export type Width = (typeof WIDTHS)[number]

/** The state of a template's screen, as its address says it. */
export interface TemplateState {
  /** Absent: the default language. */
  language?: string
  /** How the mail is shown: on a desktop, on a phone, or its text part. Absent: on a desktop. */
  client?: Width
}

export function readTemplateState({ language, client }: Record<string, unknown>): TemplateState {
  return {
    ...(typeof language === 'string' && { language }),
    ...(WIDTHS.includes(client as Width) && client !== WIDTHS[0] && { client: client as Width }),
  }
}

/** A template as its screen edits it. */
export type Draft = Pick<Schemas['EmailTemplate'], 'name' | 'content' | 'default_language'>
