import type { EventType } from '../src/features/delivery/events/event-types.ts'
import { CATALOGUE } from '../src/features/delivery/events/events.schema.ts'
import { stageEvent } from '../src/features/delivery/publishing/publishing.service.ts'
import { createWebhook } from '../src/features/delivery/webhooks/registration/webhooks.service.ts'
import { createDatabaseClock } from '../src/platform/loop/clock.ts'
import { parseConfig } from '../src/platform/config/config.ts'
import { newId, parseId, type TenantId } from '../src/platform/ids.ts'
import { createLog } from '../src/platform/config/log.ts'
import { migrate } from '../src/platform/database/migrate.ts'
import { createServices, type Services } from '../src/services.ts'
import { SECRETS_KEY } from './rig.ts'

const AT_ONCE = 8
const EXAMPLE =
  (CATALOGUE.find((entry) => entry.name === 'response.completed')?.example as { data: object } | undefined)?.data ?? {}

export interface Hook {
  url: string
  /** Absent: every event. */
  events?: EventType[]
}

export interface Tenant {
  /** Of its webhooks, in the order given. */
  webhookIds: string[]
  /** Stages so many events in the product's own way; each becomes a row for each webhook that takes it. */
  stage(events: number, type?: EventType): Promise<void>
}

export interface Staging {
  createTenant(hooks: Hook[]): Promise<Tenant>
  close(): Promise<void>
}

/** The product's services in this process, which registers and stages, and delivers nothing itself. */
export async function openStaging(databaseUrl: string): Promise<Staging> {
  const config = parseConfig({ DATABASE_URL: databaseUrl, SECRETS_KEY, LOG_LEVEL: 'error' })
  const services = await createServices(config, { log: createLog('error'), clock: createDatabaseClock() })
  await migrate(services.database)
  return {
    createTenant: (hooks) => createTenant(services, hooks),
    close: () => services.close(),
  }
}

async function createTenant(services: Services, hooks: Hook[]): Promise<Tenant> {
  const tenantId = newId('workspace')
  const registration = {
    description: '',
    tags: [],
    headers: {},
    survey_ids: [],
    include_text: true,
    include_custom_data: true,
    include_answers: true,
  }
  const webhookIds: string[] = []
  for (const { url, events = [] } of hooks) {
    const { id } = await services.run((system) =>
      createWebhook(system.tenant(tenantId, { type: 'system' }), { ...registration, url, events }),
    )
    webhookIds.push(parseId('webhook', id) ?? '')
  }
  let staged = 0
  return {
    webhookIds,
    async stage(events, type = 'response.completed') {
      const end = staged + events
      await Promise.all(
        Array.from({ length: AT_ONCE }, async () => {
          while (staged < end) await stageOne(services, tenantId, type, staged++)
        }),
      )
    },
  }
}

async function stageOne(services: Services, tenantId: TenantId, type: EventType, n: number): Promise<void> {
  await services.run((system) => {
    const scope = system.tenant(tenantId, { type: 'system' })
    return scope.tx((tx) => stageEvent(scope, tx, { type, surveyId: null, source: `faults:${n}`, data: EXAMPLE }))
  })
}
