import { formatId, type Id } from '../../../../platform/ids.ts'
import type { SecretBox } from '../../../../platform/secrets.ts'
import { renderBody, sha256, signingKeys, type EventEnvelope, type RenderedBody, type SigningKeys, type Toggles } from './delivery.ts'

const SECRETS_AT_MOST = 10_000
const BODIES_AT_MOST = 500

/** Signing secrets that one worker has opened; a rotated one is sealed anew and opened again. */
export interface Keyring {
  /** @throws when no key of SECRETS_KEY opens it. */
  open(secrets: SecretBox, webhookId: Id<'webhook'>, sealed: string): SigningKeys
}

export function createKeyring(): Keyring {
  const opened = new Map<string, { sealed: string; keys: SigningKeys }>()
  return {
    open(secrets, webhookId, sealed) {
      const known = opened.get(webhookId)
      if (known?.sealed === sealed) return known.keys
      const keys = signingKeys(secrets.open(sealed, secretContext(webhookId)))
      if (opened.size >= SECRETS_AT_MOST) opened.clear()
      opened.set(webhookId, { sealed, keys })
      return keys
    },
  }
}

/** What a sealed secret is bound to. */
export function secretContext(id: Id<'webhook'>): string {
  return `webhooks.secret:${id}`
}

export interface HashedBody extends RenderedBody {
  bodySha256: string
}

/** Bodies of the latest events: an event that goes to many webhooks is rendered once for each setting of the toggles. */
export interface Bodies {
  render(event: Omit<EventEnvelope, 'id'> & { id: Id<'event'> }, toggles: Toggles): HashedBody
}

export function createBodies(): Bodies {
  const rendered = new Map<string, { data: string; hashed: HashedBody }>()
  return {
    render(event, toggles) {
      const key = `${event.id} ${toggles.include_answers} ${toggles.include_text} ${toggles.include_custom_data}`
      const known = rendered.get(key)
      // An erasure changes the data of an event; what it took out must not be sent from memory.
      if (known?.data === event.data) return known.hashed
      const body = renderBody({ ...event, id: formatId('event', event.id) }, toggles)
      const hashed = { ...body, bodySha256: sha256(body.body) }
      if (rendered.size >= BODIES_AT_MOST) rendered.clear()
      rendered.set(key, { data: event.data, hashed })
      return hashed
    },
  }
}
