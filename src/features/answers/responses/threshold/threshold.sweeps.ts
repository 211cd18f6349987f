import type { Sweep } from '../../../../platform/work/sweeps.ts'
import { tellOfGroups } from './threshold.service.ts'

/** Sends the events of anonymous surveys (docs/surveys.md, "Anonymous surveys"). */
export const thresholdSweep: Sweep = { name: 'responses.threshold', everySeconds: 300, run: tellOfGroups }
