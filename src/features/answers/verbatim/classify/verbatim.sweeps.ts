import { hasDue } from '../../../../platform/work/due-tenants.ts'
import type { Sweep } from '../../../../platform/work/sweeps.ts'
import { classifyAgain, classifyWaiting, type TextListener } from './classify.service.ts'
import { askAboutTexts } from './model.service.ts'
import { dueRuns } from '../topics/topics.store.ts'
import { dueWaiting } from '../verbatim.store.ts'

/** Indexes new texts, and classifies those of completed responses. A save with texts wakes the sweeps. */
export function newTextsSweep(listeners: TextListener[]): Sweep {
  return {
    name: 'verbatim.new',
    everySeconds: 300,
    isDue: (tx, now, among) => hasDue(tx, among, dueWaiting(now)),
    run: (system, options) => classifyWaiting(system, options, listeners),
  }
}

/** Classifies every text again after a change of a topic. */
export const topicRunsSweep: Sweep = {
  name: 'verbatim.again',
  everySeconds: 300,
  isDue: (tx, now, among) => hasDue(tx, among, dueRuns(now)),
  run: classifyAgain,
}

/** Asks the language model about texts that the rules have classified. Without one it costs no query. */
export function modelSweep(listeners: TextListener[]): Sweep {
  return {
    name: 'verbatim.model',
    everySeconds: ({ configured }) => (configured.ai ? 30 : 300),
    run: (system, options) => askAboutTexts(system, options, listeners),
  }
}
