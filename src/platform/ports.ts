import type { DatabaseHandle } from './database.ts'
import type { TenantId } from './ids.ts'
import type { Principal } from './principal.ts'

/** Wakes durable work; losing one only delays the work until the next sweep. */
export interface QueuePort {
  wake(topic: string, wake: Wake): void
  /** What this process itself listens to a topic with; undefined where others do. */
  local(topic: string): WakeListener | undefined
}

/** Takes the wakes of a topic, such as an engine. */
export interface WakeListener {
  wake(wake: Wake): void
}

export interface Wake {
  tenantId: TenantId
  /** What the rows compete for, such as an endpoint. */
  group: string
  /** Rows to look at; empty means whatever is due. */
  ids: string[]
}

/** A provider said no, or could not be asked. The code is fit for logs and rows: providers quote recipients in their messages. */
export class ProviderError extends Error {
  /** Such as `resend_validation_error` or `twilio_21211`. */
  readonly code: string
  /** Another attempt would be refused as well. */
  readonly permanent: boolean
  /** Seconds, where the provider asked for them. */
  readonly retryAfter: number | null
  /** It takes no more at the moment, whatever the message is (HTTP 429). */
  readonly throttled: boolean
  /** It has certainly not taken the message, so that another attempt cannot send it twice. */
  readonly certain: boolean
  constructor(code: string, options: { permanent: boolean; retryAfter?: number | null; throttled?: boolean; certain?: boolean }) {
    super(`the provider did not take the message: ${code}`)
    this.name = 'ProviderError'
    this.code = code
    this.permanent = options.permanent
    this.retryAfter = options.retryAfter ?? null
    this.throttled = options.throttled ?? false
    this.certain = options.certain ?? false
  }
}

/** What a provider calls the message that it took: a Resend email id, a Twilio SID, a Message-ID. Null when it only says that it took it before. */
export interface Accepted {
  providerId: string | null
}

export interface EmailMessage {
  to: string
  subject: string
  text: string
  html?: string
  /** Name shown beside the sender's address, instead of the one in `EMAIL_FROM`. */
  fromName?: string
  replyTo?: string
  /** Such as `List-Unsubscribe`. */
  headers?: Record<string, string>
  /** Handed back by the provider's events as the tag `voc_delivery`: letters, digits, `_` and `-`, at most 256. */
  tag?: string
  /** The same key never sends twice, where the provider can tell. */
  idempotencyKey: string
}

export interface EmailPort {
  /**
   * Resolves once the provider has accepted the message.
   * @throws ProviderError; anything else is a fault on the way, to be tried again.
   */
  send(message: EmailMessage): Promise<Accepted>
}

export interface SmsMessage {
  /** E.164. */
  to: string
  from: string
  /** At most 1,600 characters. */
  body: string
  /** Told by the provider what becomes of the message. */
  statusUrl?: string
}

/** Whether what a provider took is known to belong to another send, which may look the same. */
export type IsAnothers = (providerId: string) => Promise<boolean>

export interface SmsPort {
  /** @throws ProviderError */
  send(message: SmsMessage): Promise<Accepted>
  /** What the provider took of this very message at or after `since`, when an answer was lost; null when it took none that is not another's. */
  findSent(message: SmsMessage, since: Date, isAnothers: IsAnothers): Promise<Accepted | null>
}

export interface VoiceCall {
  to: string
  from: string
  /** Asked by the provider what to say, once the call is answered. */
  url: string
}

export interface VoicePort {
  /** @throws ProviderError */
  call(call: VoiceCall): Promise<Accepted>
  findCall(call: VoiceCall, since: Date, isAnothers: IsAnothers): Promise<Accepted | null>
}

/** Who is behind a bearer token, or null when nobody is. */
export interface IdentityPort {
  authenticate(token: string): Promise<Authenticated | null>
}

export interface Authenticated {
  tenantId: TenantId
  principal: Principal
}

/** A URL that leads to a private, reserved or metadata address, or is no http(s) URL. */
export class BlockedUrlError extends Error {
  constructor() {
    super('the address is not allowed')
    this.name = 'BlockedUrlError'
  }
}

/** A request that got no complete answer. The message is fit for a tenant's eyes. */
export class OutboundError extends Error {
  readonly reason: 'timeout' | 'aborted' | 'protocol' | 'network'
  /** A sentence about a target whose addresses are all public. Null for private and blocked ones, so that they all look the same. */
  readonly publicReason: string | null
  constructor(reason: OutboundError['reason'], message: string, publicReason: string | null = null) {
    super(message)
    this.name = 'OutboundError'
    this.reason = reason
    this.publicReason = publicReason
  }
}

/** HTTP to addresses that tenants choose: never reaches a private address that the operator did not allow. */
export interface OutboundHttpPort {
  /** @throws BlockedUrlError before anything is dialled. */
  check(url: string): Promise<void>
  /**
   * One POST, redirects not followed.
   * @throws BlockedUrlError, OutboundError
   */
  post(request: OutboundRequest): Promise<OutboundAnswer>
}

export interface OutboundRequest {
  url: string
  headers: Record<string, string>
  body: string
  timeoutMs: number
  signal?: AbortSignal
}

export interface OutboundAnswer {
  status: number
  retryAfter: string | null
  /** At most 2 KiB of what the target said. */
  excerpt: string
}

export interface Ports {
  readonly database: DatabaseHandle
  readonly email: EmailPort
  readonly sms: SmsPort
  readonly voice: VoicePort
  readonly queue: QueuePort
  readonly identity: IdentityPort
  readonly outboundHttp: OutboundHttpPort
}

/** Makes each port on first use; what lives as long as the process stays behind these functions. */
export type PortFactories = { [Name in keyof Ports]: (ports: Ports) => Ports[Name] }

export interface PortContainer {
  ports: Ports
  /** Names of the ports that were built so far, in order. */
  built(): Array<keyof Ports>
  /** Releases the database handle; it throws afterwards. */
  dispose(): Promise<void>
}

/** A container for one request or one background step: every port is built at most once, and only when asked for. */
export function createPorts(factories: PortFactories): PortContainer {
  const made = new Map<keyof Ports, unknown>()
  function get<Name extends keyof Ports>(name: Name): Ports[Name] {
    if (!made.has(name)) made.set(name, factories[name](ports))
    return made.get(name) as Ports[Name]
  }
  const ports: Ports = {
    get database() {
      return get('database')
    },
    get email() {
      return get('email')
    },
    get sms() {
      return get('sms')
    },
    get voice() {
      return get('voice')
    },
    get queue() {
      return get('queue')
    },
    get identity() {
      return get('identity')
    },
    get outboundHttp() {
      return get('outboundHttp')
    },
  }
  return {
    ports,
    built: () => [...made.keys()],
    async dispose() {
      if (made.has('database')) await ports.database.release()
    },
  }
}
