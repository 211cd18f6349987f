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

/** A value that cannot be printed by accident. Logs, JSON and templates show `[secret]`. */
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
 * Encrypts stored secrets with AES-256-GCM. `context` (table and row) is authenticated, so a value does not open in
 * another row.
 */
export interface SecretBox {
  seal(plaintext: string, context: string): string
  /** Throws if no key of the list opens it. */
  open(sealed: string, context: string): string
  /** HMAC-SHA256 of a text under the newest key. `context` limits the signature to one purpose. */
  sign(text: Uint8Array, context: string): Buffer
  /** The signatures under every key of the list, newest first, for a look-up that outlives a change of keys. */
  signatures(text: Uint8Array, context: string): Buffer[]
  /** Whether a key of the list made the first bytes of the signature. Needs at least 16 bytes. */
  verify(text: Uint8Array, signature: Uint8Array, context: string): boolean
}

const VERSION = 'v1'
const NONCE_BYTES = 12

/** @param keys passphrases of `SECRETS_KEY`, newest first. The newest encrypts, and each opens its own values. */
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
  if (!newest) throw new Error('SECRETS_KEY has no key')
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
      // A prepared key object, because creating it from bytes takes longer than encrypting.
      const cipher = createCipheriv('aes-256-gcm', newest.sealing, iv)
      cipher.setAAD(Buffer.from(context))
      const body = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final(), cipher.getAuthTag()])
      return [VERSION, newest.id, iv.toString('base64url'), body.toString('base64url')].join('.')
    },
    open(sealed, context) {
      const [version, keyId, iv, body] = sealed.split('.')
      const key = derived.find((candidate) => candidate.id === keyId)
      if (version !== VERSION || !key || !iv || !body) {
        throw new Error('a stored secret needs a key that SECRETS_KEY no longer lists: add the key again')
      }
      const bytes = Buffer.from(body, 'base64url')
      const decipher = createDecipheriv('aes-256-gcm', key.sealing, Buffer.from(iv, 'base64url'))
      decipher.setAAD(Buffer.from(context))
      decipher.setAuthTag(bytes.subarray(-16))
      return decipher.update(bytes.subarray(0, -16), undefined, 'utf8') + decipher.final('utf8')
    },
    sign: (text, context) => mac(newest.signing, text, context),
    signatures: (text, context) => derived.map(({ signing }) => mac(signing, text, context)),
    verify: (text, signature, context) =>
      signature.length >= 16 &&
      signature.length <= 32 &&
      derived.some(({ signing }) =>
        timingSafeEqual(mac(signing, text, context).subarray(0, signature.length), signature),
      ),
  }
}

/** SHA-256 in hex. Tokens and keys are random enough to be stored like this. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
