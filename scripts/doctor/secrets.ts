import { openSecret } from '../../src/features/delivery/webhooks/registration/signing-secret.ts'
import { sql } from '../../src/platform/database/database.ts'
import type { Id, TenantId } from '../../src/platform/ids.ts'
import type { Services } from '../../src/services.ts'
import { fail, ok, warn, type Finding } from './finding.ts'

const WORKSPACES = 50

interface Sealed {
  id: Id<'webhook'>
  secret: string
}

/** Whether SECRETS_KEY opens what is stored: the secrets of one webhook in each of some workspaces. */
export async function lookAtSecrets({ config, run, secrets }: Services): Promise<Finding[]> {
  const key =
    config.secretsKeys === null
      ? warn('secrets', 'SECRETS_KEY is a file in DATA_DIR', 'Set SECRETS_KEY before anybody depends on it.')
      : ok(
          'secrets',
          `SECRETS_KEY has ${config.secretsKeys.length === 1 ? 'one key' : `${config.secretsKeys.length} keys`}`,
        )
  const sealed = await run(async (system) => {
    const tenants = await system
      .tx((tx) =>
        tx.many(sql<{ tenant_id: TenantId }>`
          select distinct tenant_id from directory where kind = 'membership' order by tenant_id limit ${WORKSPACES}`),
      )
      .catch(() => [])
    const found: Sealed[] = []
    for (const { tenant_id: id } of tenants)
      found.push(
        ...(await system.tenant(id, { type: 'system' }).read((tx) =>
          tx.many(sql<Sealed>`
            select id, secret from webhooks where tenant_id = ${tx.tenantId} and secret is not null order by id limit 1`),
        )),
      )
    return found
  })
  const shut = sealed.filter(({ id, secret }) => !opens(() => openSecret(secrets, id, secret)))
  if (shut.length > 0)
    return [
      fail(
        'secrets',
        `SECRETS_KEY does not open ${shut.length} of ${sealed.length} webhook secrets`,
        'Add the older key behind a comma. Without it, no webhook of these workspaces can be signed.',
      ),
    ]
  return [key]
}

function opens(open: () => string): boolean {
  try {
    open()
    return true
  } catch {
    return false
  }
}
