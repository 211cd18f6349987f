import type { Schemas } from '../../../api/client.ts'
import { SEND_CHANNELS } from '../../../../src/platform/ports/provider.ts'

/** The choices of a new invitation that an address makes. */
export interface NewInvitationState {
  survey?: string
  segment?: string
  person?: string
  channel?: Schemas['SendChannel']
}

export function readNewInvitation({ survey, segment, person, channel }: Record<string, unknown>): NewInvitationState {
  return {
    ...(typeof survey === 'string' && { survey }),
    ...(typeof segment === 'string' && { segment }),
    ...(typeof person === 'string' && { person }),
    ...(SEND_CHANNELS.includes(channel as never) && { channel: channel as Schemas['SendChannel'] }),
  }
}
