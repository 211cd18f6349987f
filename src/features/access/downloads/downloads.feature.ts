import type { Feature } from '../../../platform/feature.ts'
import { createTicketRoute, redeemTicketRoute } from './downloads.routes.ts'
import type { Sweep } from '../../../platform/work/sweeps.ts'
import { removeExpired } from './downloads.service.ts'

export const expiredTicketsSweep: Sweep = { name: 'downloads.tickets', everySeconds: 300, run: removeExpired }

export const downloads = {
  name: 'downloads',
  routes: [createTicketRoute, redeemTicketRoute],
  sweeps: [expiredTicketsSweep],
  retention: [{ tables: ['download_tickets'], sweep: expiredTicketsSweep }],
} satisfies Feature
