import { signalOf } from '../../../platform/signals.ts'

/** A workspace gave up this number. Another one may add it. */
export const NUMBER_REMOVED = signalOf<string>('inbound-number.removed')
