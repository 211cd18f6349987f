import type { Clock } from './platform/clock.ts'
import type { IdentityPort, Ports } from './platform/ports.ts'

export function createIdentity(_ports: Ports, _clock: Clock): IdentityPort {
  return { authenticate: async () => null }
}
