import type { Sweep } from '../../../platform/work/sweeps.ts'
import { removeExpired } from './downloads.service.ts'

export const expiredTicketsSweep: Sweep = { name: 'downloads.tickets', everySeconds: 300, run: removeExpired }
