import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
  type KeyObject,
} from 'node:crypto'

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
  /** HMAC-SHA256 of a text under the newest key; `context` keeps what is signed for one purpose from serving another. */
  sign(text: Uint8Array, context: string): Buffer
  /** Whether any key of the list made the first bytes of that signature; at least 16 are needed. */
  verify(text: Uint8Array, signature: Uint8Array, context: string): boolean
}

const VERSION = 'v1'
const NONCE_BYTES = 12

/** @param keys passphrases of `SECRETS_KEY`, newest first; the newest seals, each opens what it sealed. */
export function createSecretBox(keys: Secret[]): SecretBox {
  const derived = keys.map((key) => {
    const bytes = Buffer.from(hkdfSync('sha256', key.reveal(), '', 'earshot/secrets', 32))
    const signing = createSecretKey(Buffer.from(hkdfSync('sha256', key.reveal(), '', 'earshot/signatures', 32)))
    return {
      id: createHash('sha256').update(bytes).digest('hex').slice(0, 8),
      sealing: createSecretKey(bytes),
      signing,
    }
  })
  const newest = derived[0]
  if (!newest) throw new Error('SECRETS_KEY holds no key')
  let nonces = Buffer.alloc(0)
  const nextNonce = () => {
    if (nonces.length === 0) nonces = randomBytes(NONCE_BYTES * 256)
    const nonce = nonces.subarray(0, NONCE_BYTES)
    nonces = nonces.subarray(NONCE_BYTES)
    return nonce
  }
  const mac = (key: KeyObject, text: Uint8Array, context: string) =>
    createHmac('sha256', key).update(context).update('\0').update(text).digest()
  return {
    seal(plaintext, context) {
      const iv = nextNonce()
      // A key that is made once: making one of its bytes takes longer than sealing with it.
      const cipher = createCipheriv('aes-256-gcm', newest.sealing, iv)
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
      const decipher = createDecipheriv('aes-256-gcm', key.sealing, Buffer.from(iv, 'base64url'))
      decipher.setAAD(Buffer.from(context))
      decipher.setAuthTag(bytes.subarray(-16))
      return decipher.update(bytes.subarray(0, -16), undefined, 'utf8') + decipher.final('utf8')
    },
    sign: (text, context) => mac(newest.signing, text, context),
    verify: (text, signature, context) =>
      signature.length >= 16 &&
      signature.length <= 32 &&
      derived.some(({ signing }) =>
        timingSafeEqual(mac(signing, text, context).subarray(0, signature.length), signature),
      ),
  }
}

/** SHA-256 in hex: how bearer tokens and keys, which carry their own entropy, are stored. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
