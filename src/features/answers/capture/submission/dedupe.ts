import { createHash } from 'node:crypto'
import type { Id } from '../../../../platform/ids.ts'
import type { SecretBox } from '../../../../platform/config/secrets.ts'
import type { AnswerValues, SurveyDefinition } from '../../../../survey-engine/model/definition.ts'
import { normalForm } from '../../../../platform/text/normal-form.ts'

export interface Respondent {
  /** Identifies a single-use link or an invitation. Null for a visitor without one. */
  ticket: string | null
  /** An id that stays the same on the respondent's device. */
  device: string | undefined
  /** The caller of the request. Null in background work. */
  origin: { ip: string; userAgent: string } | null
}

/**
 * A hash that identifies the respondent by the survey's `dedupe`. It can finish the survey once. Null if the respondent
 * cannot be identified. Without a device id, address and user agent identify the device. For an anonymous survey only
 * this server can compute it.
 */
export function dedupeKey(
  { secrets }: { secrets: SecretBox },
  { id, definition }: { id: Id<'survey'>; definition: SurveyDefinition },
  values: AnswerValues,
  respondent: Respondent,
): string | null {
  const who = identify(definition, values, respondent)
  if (who === null) return null
  const text = [definition.dedupe, id, who].join('\0')
  return definition.privacy === 'anonymous' ? keyed(secrets, text) : hashed(text)
}

/**
 * The same for an invited person, who counts once with every `dedupe`. Null if the survey recognises people by their
 * device or contact. For an anonymous survey only this server can compute it from a send.
 */
export function invitedKey(
  { secrets }: { secrets: SecretBox },
  { id, definition }: { id: Id<'survey'>; definition: SurveyDefinition },
  ticket: string,
): string | null {
  const text = [definition.dedupe, id, ticket].join('\0')
  if (definition.privacy === 'anonymous') return keyed(secrets, text)
  return definition.dedupe === 'none' ? hashed(text) : null
}

function keyed(secrets: SecretBox, text: string): string {
  return secrets.sign(Buffer.from(text), 'responses.dedupe').toString('base64url')
}

function hashed(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}

function identify(
  definition: SurveyDefinition,
  values: AnswerValues,
  { ticket, device, origin }: Respondent,
): string | null {
  switch (definition.dedupe) {
    case 'none':
      return null
    case 'single_use':
      return ticket
    case 'device':
      return device ?? (origin && `${origin.ip}\0${origin.userAgent}`)
    case 'contact':
      return contactOf(definition, values)
  }
}

function contactOf(definition: SurveyDefinition, values: AnswerValues): string | null {
  for (const { id, type } of definition.questions) {
    const value = type === 'contact' ? values[id] : undefined
    if (typeof value !== 'object' || Array.isArray(value)) continue
    const fields: Record<string, string> = value
    const contact =
      (fields['email'] && normalForm(fields['email'], 'NFKC').toLowerCase()) ?? fields['phone']?.replace(/^\+|^00/, '')
    if (contact) return contact
  }
  return null
}
