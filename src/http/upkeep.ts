import type { Feature } from '../platform/feature.ts'
import { personal } from './idempotency/idempotency.personal.ts'
import { expireKeysSweep } from './idempotency/idempotency.sweeps.ts'
import { expiredCountersSweep } from './limits/rate-limit.sweeps.ts'

/** Background work on the tables that every route uses. */
export const upkeep = {
  name: 'http',
  sweeps: [expireKeysSweep, expiredCountersSweep],
  retention: [
    { tables: ['idempotency_keys'], sweep: expireKeysSweep },
    { tables: ['rate_limits'], sweep: expiredCountersSweep },
  ],
  personal,
} satisfies Feature
