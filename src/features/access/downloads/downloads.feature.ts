import type { Feature } from '../../../platform/feature.ts'
import { createTicketRoute, redeemTicketRoute } from './downloads.routes.ts'
import { expiredTicketsSweep } from './downloads.sweeps.ts'

export const downloads = {
  name: 'downloads',
  routes: [createTicketRoute, redeemTicketRoute],
  sweeps: [expiredTicketsSweep],
  retention: [{ tables: ['download_tickets'], sweep: expiredTicketsSweep }],
} satisfies Feature
