import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'

/** A value that cannot be printed by accident: logs, JSON and templates show `[secret]`. */
export class Secret {
  readonly #value: string
  constructor(value: string) {
    this.#value = value
  }
  reveal(): string {
    return this.#value
  }
  toString(): string {
    return '[secret]'
  }
  toJSON(): string {
    return '[secret]'
  }
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return '[secret]'
  }
}

/**
 * Seals secrets at rest with AES-256-GCM. `context` (table and row) is authenticated, so that a
 * sealed value moved to another row does not open.
 */
export interface SecretBox {
  seal(plaintext: string, context: string): string
  /** Throws when no key of the list opens it. */
  open(sealed: string, context: string): string
}

const VERSION = 'v1'

/** @param keys passphrases of `SECRETS_KEY`, newest first; the newest seals, each opens what it sealed. */
export function createSecretBox(keys: Secret[]): SecretBox {
  const derived = keys.map((key) => {
    const bytes = Buffer.from(hkdfSync('sha256', key.reveal(), '', 'earshot/secrets', 32))
    return { id: createHash('sha256').update(bytes).digest('hex').slice(0, 8), bytes }
  })
  const newest = derived[0]
  if (!newest) throw new Error('SECRETS_KEY holds no key')
  return {
    seal(plaintext, context) {
      const iv = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', newest.bytes, iv)
      cipher.setAAD(Buffer.from(context))
      const body = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final(), cipher.getAuthTag()])
      return [VERSION, newest.id, iv.toString('base64url'), body.toString('base64url')].join('.')
    },
    open(sealed, context) {
      const [version, keyId, iv, body] = sealed.split('.')
      const key = derived.find((candidate) => candidate.id === keyId)
      if (version !== VERSION || !key || !iv || !body) {
        throw new Error('a stored secret was sealed with a key that SECRETS_KEY no longer lists')
      }
      const bytes = Buffer.from(body, 'base64url')
      const decipher = createDecipheriv('aes-256-gcm', key.bytes, Buffer.from(iv, 'base64url'))
      decipher.setAAD(Buffer.from(context))
      decipher.setAuthTag(bytes.subarray(-16))
      return decipher.update(bytes.subarray(0, -16), undefined, 'utf8') + decipher.final('utf8')
    },
  }
}

/** SHA-256 in hex: how bearer tokens and keys, which carry their own entropy, are stored. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
