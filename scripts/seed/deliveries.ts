import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createDeliveryEngine } from '../../src/features/delivery/webhooks/engine/delivery-engine.ts'
import { CreateWebhook } from '../../src/features/delivery/webhooks/registration/webhooks.schema.ts'
import { createWebhook, updateWebhook } from '../../src/features/delivery/webhooks/registration/webhooks.service.ts'
import { DELIVERIES } from '../../src/features/delivery/webhooks/wakes.service.ts'
import { parseId } from '../../src/platform/ids.ts'
import type { DemoResponse } from './history.ts'
import { submitAll } from './responses.ts'
import { DAY_MS, daysBefore, type Stage } from './stage.ts'

export const WEBHOOK_FOR_DAYS = 14
/** The receiver failed on this day. */
const DOWN_DAYS_AGO = 9
const RETRY_ROUNDS = 5

/**
 * The last two weeks, day by day, with a webhook to a receiver on this machine. It fails for a day, and never takes
 * some deliveries. Afterwards the webhook is disabled, because its receiver ends with this run.
 */
export async function deliverAll(stage: Stage, responses: DemoResponse[]): Promise<void> {
  const { services, clock, today, owner } = stage
  let down = false
  const receiver = createServer((request, response) => {
    request.resume()
    const refused = down || /[07]$/.test(String(request.headers['webhook-id']).slice(0, -3))
    request.on('end', () => response.writeHead(refused ? 503 : 204).end())
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/crm`
  const engine = createDeliveryEngine({ ...services, metrics: services.metrics })
  await services.bus.listen({ [DELIVERIES]: engine })
  const deliver = async () => {
    await new Promise((resume) => setImmediate(resume))
    await engine.idle()
    await engine.sweep()
    await engine.idle()
  }
  const since = daysBefore(today, WEBHOOK_FOR_DAYS)
  const input = {
    url,
    description: 'The CRM of the demo',
    tags: ['crm'],
    events: ['response.completed', 'alert.opened'],
  }
  const id = parseId('webhook', (await createWebhook(owner(since), CreateWebhook.parse(input))).id)
  for (let days = WEBHOOK_FOR_DAYS; days > 0; days -= 1) {
    const [from, until] = [daysBefore(today, days), daysBefore(today, days - 1)]
    clock.set(from)
    down = days === DOWN_DAYS_AGO
    await submitAll(
      stage,
      responses.filter(({ at }) => at >= from && at < until),
    )
    for (let round = 1; round <= RETRY_ROUNDS; round += 1) {
      clock.set(new Date(from.getTime() + (round * DAY_MS) / RETRY_ROUNDS - 1))
      if (round > 3) down = false
      await deliver()
    }
  }
  if (id) await updateWebhook(owner(today), id, { enabled: false })
  await engine.stop()
  await services.bus.stop()
  receiver.closeAllConnections()
  await new Promise((resolve) => receiver.close(resolve))
}
