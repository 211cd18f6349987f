import { bearerToken } from '../../../http/context.ts'
import { tenantRoute } from '../../../http/routes/route.ts'
import { openStream } from './stream.service.ts'
import { z } from 'zod'
import { TOPIC_NAMES, type Topic } from '../../../platform/topics.ts'
import type { Feature } from '../../../platform/feature.ts'
import { deleteUnwatched } from '../../../platform/changes/changes.store.ts'
import { KEPT_MS } from '../../../platform/changes/feed.ts'
import { listOldestRows, removeOldRows } from '../../../platform/work/retention.ts'
import type { Sweep } from '../../../platform/work/sweeps.ts'

const Topics = z
  .string()
  .transform((text) => [...new Set(text.split(',').map((name) => name.trim()))])
  .pipe(z.array(z.enum(TOPIC_NAMES as [Topic, ...Topic[]])).min(1))

const StreamQuery = z.strictObject({
  topics: Topics.meta({
    type: 'string',
    description: `Topics with commas between them: ${TOPIC_NAMES.map((name) => `\`${name}\``).join(', ')}.`,
  }),
  last_event_id: z
    .string()
    .max(200)
    .optional()
    .meta({ description: 'The id of the last event that you got, for clients that cannot send `Last-Event-ID`.' }),
})

const DESCRIPTION = `A stream of [server-sent events](https://html.spec.whatwg.org/multipage/server-sent-events.html) that
names what has changed: \`event\` is the topic, and \`data\` is \`{"type": "created" | "updated" | "deleted", "id",
"survey_id"?, "at"}\`. Read the thing itself with its own call. An event comes at most 2 seconds after the change, from
any process. Several changes of one thing within a second may come as one. Nothing names one response to an anonymous
survey.

After a break, send the \`id\` of the last event as \`Last-Event-ID\` within 10 minutes: the stream goes on after it, and
may repeat an event. \`event: reset\` says that something may be missing: read your lists again. \`event: end\` says why the
stream ends: \`session_ended\`, \`forbidden\`, \`ip_not_allowed\`, \`slow\` (you are 1 MiB behind), \`shutdown\` or \`expired\`
(after an hour). A comment comes every 15 seconds. A session or a key can hold 8 streams, and a workspace 500.`

export const streamRoute = tenantRoute({
  method: 'get',
  path: '/stream',
  operationId: 'streamChanges',
  summary: 'Follow what changes',
  description: DESCRIPTION.replaceAll(/(?<!\n)\n(?!\n)/g, ' '),
  tag: 'System',
  query: StreamQuery,
  exampleQuery: { topics: 'surveys' },
  headers: ['last-event-id'],
  response: { status: 200, contentType: 'text/event-stream', description: 'Events, until the stream ends.' },
  problems: { 429: '`too_many_streams`: close another one first.' },
  async handler(scope, { query, c }) {
    const stream = await openStream(scope, {
      topics: query.topics,
      lastEventId: c.req.header('last-event-id') ?? query.last_event_id ?? null,
      token: bearerToken(c.req.header('authorization')) ?? '',
    })
    return c.body(stream, 200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      // nginx would collect events.
      'x-accel-buffering': 'no',
    })
  },
})

const DAY_MS = 86_400_000

export const changesSweep: Sweep = {
  name: 'stream.retention',
  everySeconds: 60,
  async run(system, options) {
    for (const { tenant_id: tenantId } of await listOldestRows(system, 'watched_workspaces', 'tenant_id'))
      await system.tenant(tenantId, { type: 'system' }).tx((tx) => deleteUnwatched(tx, system.clock.now()))
    return removeOldRows(system, options, { table: 'changes', agedBy: 'at', days: KEPT_MS / DAY_MS })
  },
}

export const stream = {
  name: 'stream',
  routes: [streamRoute],
  sweeps: [changesSweep],
  retention: [{ tables: ['changes', 'watched_workspaces'], sweep: changesSweep }],
} satisfies Feature
