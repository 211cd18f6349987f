import { formatId, newId, parseId, type Id } from '../platform/ids.ts'
import type { SendRow } from '../features/delivery/sends/send.entity.ts'
import { findSend, insertSends } from '../features/delivery/sends/sends.service.ts'
import { ensureAddressHash } from '../features/trust/addresses/addresses.service.ts'
import { maskAddress } from '../features/trust/addresses/address.ts'
import { sendToken, type SendTokenKind } from '../features/delivery/sends/send-secrets.ts'
import type { Scope } from '../platform/scope.ts'
import type { TestWorkspace } from './fixtures.ts'
import type { TestServer } from './harness.ts'

/** Runs work as a workspace's own background work. */
export function inWorkspace<T>(
  server: TestServer,
  workspace: TestWorkspace,
  work: (scope: Scope) => Promise<T>,
): Promise<T> {
  const tenantId = parseId('workspace', workspace.workspaceId)
  if (!tenantId) throw new Error('not a workspace')
  return server.services.run((system) => work(system.tenant(tenantId, { type: 'system' })))
}

export interface TestSend {
  id: Id<'send'>
  publicId: string
  token(kind: SendTokenKind): string
  read(): Promise<SendRow>
}

/** A message as an invitation leaves it, with the tokens in it. */
export function makeSend(
  server: TestServer,
  workspace: TestWorkspace,
  { address = 'ada@example.com', language = null as string | null } = {},
): Promise<TestSend> {
  const id = newId('send')
  return inWorkspace(server, workspace, async (scope) => {
    await scope.tx(async (tx) => {
      const hashOf = await ensureAddressHash(scope, tx)
      await insertSends(tx, {
        invitationId: newId('invitation'),
        surveyId: newId('survey'),
        channel: 'email',
        now: scope.clock.now(),
        byDay: false,
        rows: [
          {
            id,
            addressHash: hashOf('email', address),
            masked: maskAddress('email', address),
            recipient: '',
            language,
            agentId: null,
            personId: null,
            nextAttemptAt: scope.clock.now(),
          },
        ],
      })
    })
    return {
      id,
      publicId: formatId('send', id),
      token: (kind) => sendToken(scope.secrets, kind, { tenantId: scope.tenantId, id }),
      read: () =>
        inWorkspace(server, workspace, async (own) => {
          const row = await own.read((tx) => findSend(tx, id))
          if (!row) throw new Error('the send is gone')
          return row
        }),
    }
  })
}
