import type { DatabaseHandle } from './database-adapter.ts'
import type { EmailCallbacksPort, EmailPort } from './email-port.ts'
import type { TenantId } from './ids.ts'
import type { PhoneCallbacksPort, SmsPort, VoicePort } from './phone-port.ts'
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
  readonly emailCallbacks: EmailCallbacksPort
  readonly sms: SmsPort
  readonly voice: VoicePort
  readonly phoneCallbacks: PhoneCallbacksPort
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
    get emailCallbacks() {
      return get('emailCallbacks')
    },
    get sms() {
      return get('sms')
    },
    get voice() {
      return get('voice')
    },
    get phoneCallbacks() {
      return get('phoneCallbacks')
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
