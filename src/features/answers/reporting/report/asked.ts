import type { Id } from '../../../../platform/ids.ts'
import { signalOf } from '../../../../platform/signals.ts'

/** Somebody asks for the figures of an anonymous survey. They may have to grow first. */
export const FIGURES_ASKED = signalOf<Id<'survey'>>('figures.asked')
