import type { ReadTx } from '../database/database.ts'
import type { ChangeRow } from '../topics.ts'
import type { AiPort } from './ai-port.ts'
import type { ChatPort } from './chat-port.ts'
import type { DatabaseHandle } from '../database/database-adapter.ts'
import type { EmailCallbacksPort, EmailPort } from './email-port.ts'
import type { TenantId } from '../ids.ts'
import type { PhoneCallbacksPort, SmsPort, VoicePort } from './phone-port.ts'
import type { Origin, Principal } from '../principal.ts'
import type { BucketsPort, StoragePort } from './storage-port.ts'

/** Wakes durable work. A lost wake only delays the work until the next sweep. */
export interface QueuePort {
  wake(topic: string, wake: Wake): void
  /** This process's own listener on a topic. Undefined if others listen. */
  local(topic: string): WakeListener | undefined
}

/** The changes of workspaces, for streams. */
export interface ChangesPort {
  /** Whether changes of a workspace are to be written. */
  isWatched(tenantId: TenantId): boolean
  /** Brings changes to this process's followers at once. Those of other processes get them within a second. */
  hurry(tenantId: TenantId): void
  /**
   * Gives a follower the changes from now on, until the returned function is called. Null if its owner or its workspace
   * has too many. A process makes one query a second for all of them.
   */
  follow(tenantId: TenantId, follower: Follower): Promise<(() => void) | null>
  /** The owner of a token now, as above. */
  authenticate: IdentityPort['authenticate']
}

/** Takes the changes of one workspace. */
export interface Follower {
  /** The session or the key. */
  owner: string
  changed(rows: ChangeRow[]): void
  /** The present moment, each second. */
  tick(now: Date): void
  /** Changes may have been missed. */
  reset(): void
  /** The process ends. */
  end(): void
}

/** Takes the wakes of a topic, as an engine does. */
export interface WakeListener {
  wake(wake: Wake): void
}

export interface Wake {
  tenantId: TenantId
  /** The thing that the rows compete for, such as an endpoint. */
  group: string
  /** The rows to look at. Empty means all due rows. */
  ids: string[]
}

/** The owner of a bearer token. Null if there is none. */
export interface IdentityPort {
  authenticate(token: string, origin: Origin | null): Promise<Authenticated | null>
  /** The same for a token that is known by its hash alone. */
  find(credential: Credential, origin: Origin | null): Promise<Authenticated | null>
}

/** A session or an API key, by the hash of its token. */
export interface Credential {
  kind: 'session' | 'api_key'
  hash: string
}

export interface Authenticated {
  tenantId: TenantId
  principal: Principal
}

/** The URL leads to a private, reserved or metadata address, or is not an http(s) URL. */
export class BlockedUrlError extends Error {
  constructor() {
    super('the address is not allowed')
    this.name = 'BlockedUrlError'
  }
}

/** A request without a complete answer. A tenant may read the message. */
export class OutboundError extends Error {
  readonly reason: 'timeout' | 'aborted' | 'protocol' | 'network'
  /**
   * A sentence about a target with only public addresses. Null for private and blocked ones, so that these all look the
   * same.
   */
  readonly publicReason: string | null
  constructor(reason: OutboundError['reason'], message: string, publicReason: string | null = null) {
    super(message)
    this.name = 'OutboundError'
    this.reason = reason
    this.publicReason = publicReason
  }
}

/** HTTP to addresses that tenants choose. It never reaches a private address unless the operator allowed it. */
export interface OutboundHttpPort {
  /** @throws BlockedUrlError before it connects. */
  check(url: string): Promise<void>
  /** Sends one POST and follows no redirect. @throws BlockedUrlError, OutboundError */
  post(request: OutboundRequest): Promise<OutboundAnswer>
  /** The address that the last connection to this URL’s host was made to. Null if there was none. */
  dialled(url: string): string | null
  /**
   * Reads one HTML page by GET, of at most 1 MiB, from port 80 or 443, over at most 3 redirects. Each is checked.
   * @throws BlockedUrlError, OutboundError
   */
  page(request: FileRequest): Promise<OutboundPage>
  /** Reads one picture in the same way, of at most 2 MiB. @throws BlockedUrlError, OutboundError */
  picture(request: FileRequest): Promise<OutboundFile>
}

export interface FileRequest {
  url: string
  userAgent: string
  /** For everything, redirects included. */
  timeoutMs: number
}

export interface OutboundPage {
  /** The address after the redirects. */
  url: string
  status: number
  html: string
}

export interface OutboundFile {
  status: number
  /** The `Content-Type` of the answer. */
  type: string
  bytes: Uint8Array
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
  headers: Record<string, string | string[] | undefined>
  /** At most 2 KiB of the target's answer. */
  excerpt: string
  /** The address that was dialled. Null where nobody remembers it. */
  address: string | null
}

/** Reads for a body that is written after its request has ended. */
export interface LateReadingPort {
  read<T>(tenantId: TenantId, work: (tx: ReadTx) => Promise<T>): Promise<T>
}

export interface Ports {
  readonly database: DatabaseHandle
  readonly email: EmailPort
  readonly emailCallbacks: EmailCallbacksPort
  readonly sms: SmsPort
  readonly voice: VoicePort
  readonly phoneCallbacks: PhoneCallbacksPort
  readonly queue: QueuePort
  readonly changes: ChangesPort
  readonly lateReading: LateReadingPort
  readonly identity: IdentityPort
  readonly outboundHttp: OutboundHttpPort
  readonly ai: AiPort
  readonly chat: ChatPort
  readonly storage: StoragePort
  readonly buckets: BucketsPort
}

/** Creates each port on first use. Longer-lived objects stay behind these functions. */
export type PortFactories = { [Name in keyof Ports]: (ports: Ports) => Ports[Name] }

export interface PortContainer {
  ports: Ports
  /** Names of the ports that exist so far, in order. */
  built(): Array<keyof Ports>
  /** Releases the database handle, which throws afterwards. */
  dispose(): Promise<void>
}

/** The ports of one request or one background step. Each is created at most once, on first use. */
export function createPorts(factories: PortFactories): PortContainer {
  const ports = new LazyPorts(factories)
  return {
    ports,
    built: () => [...ports.made.keys()],
    async dispose() {
      if (ports.made.has('database')) await ports.database.release()
    },
  }
}

// A class, because getters of an object literal would give each request hidden classes of its own.
class LazyPorts implements Ports {
  readonly #factories: PortFactories
  readonly #made = new Map<keyof Ports, unknown>()

  constructor(factories: PortFactories) {
    this.#factories = factories
  }

  get made(): ReadonlyMap<keyof Ports, unknown> {
    return this.#made
  }

  get database() {
    return this.#get('database')
  }
  get email() {
    return this.#get('email')
  }
  get emailCallbacks() {
    return this.#get('emailCallbacks')
  }
  get sms() {
    return this.#get('sms')
  }
  get voice() {
    return this.#get('voice')
  }
  get phoneCallbacks() {
    return this.#get('phoneCallbacks')
  }
  get queue() {
    return this.#get('queue')
  }
  get changes() {
    return this.#get('changes')
  }
  get lateReading() {
    return this.#get('lateReading')
  }
  get identity() {
    return this.#get('identity')
  }
  get outboundHttp() {
    return this.#get('outboundHttp')
  }
  get ai() {
    return this.#get('ai')
  }
  get chat() {
    return this.#get('chat')
  }
  get storage() {
    return this.#get('storage')
  }
  get buckets() {
    return this.#get('buckets')
  }

  #get<Name extends keyof Ports>(name: Name): Ports[Name] {
    if (!this.#made.has(name)) this.#made.set(name, this.#factories[name](this))
    return this.#made.get(name) as Ports[Name]
  }
}
