import type { Route } from '../../../http/routes/route.ts'
import type { Feature } from '../../../platform/feature.ts'
import { exportedLeads } from './leads.service.ts'
import { Lead } from './leads.schema.ts'
import { onCompleted } from './capture.service.ts'
import { leads as entity } from './lead.entity.ts'
import * as api from './leads.routes.ts'
import { personal } from './personal.service.ts'
import { removeOldRows } from '../../../platform/work/retention.ts'
import type { Sweep } from '../../../platform/work/sweeps.ts'

/** Removes leads that nobody touched for as long as the server keeps responses. */
const oldLeadsSweep: Sweep = {
  name: 'leads.retention',
  everySeconds: 3600,
  run: (system, options) =>
    removeOldRows(system, options, {
      table: 'leads',
      agedBy: 'updated_at',
      days: system.settings.retention.responsesDays,
    }),
}

export const leads = {
  name: 'leads',
  routes: Object.values(api),
  sweeps: [oldLeadsSweep],
  retention: [{ tables: ['leads'], sweep: oldLeadsSweep }],
  listeners: [onCompleted],
  entities: { leads: entity },
  parts: {
    lists: {
      leads: {
        members: Object.keys(Lead.shape),
        moment: 'created_at',
        suggests: ['status', 'source', 'tag', 'owner_id'],
        exported: exportedLeads,
      },
    },
  },
  personal,
} satisfies Feature<Route>
