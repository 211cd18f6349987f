import type { Route } from '../../../http/routes/route.ts'
import type { Feature } from '../../../platform/feature.ts'
import { LATEST_TEXTS } from './built-in-widget.ts'
import { classifyAgain, classifyWaiting } from './classify/classify.service.ts'
import { onRemoved, onWritten } from './classify/marks.service.ts'
import { listedVerbatim } from './exporting.service.ts'
import { responses } from '../rows/response.entity.ts'
import { personal } from './personal.service.ts'
import { listNewest } from './search/listing.service.ts'
import { searchCondition } from './search/search.store.ts'
import { previewTopicRoute } from './search/topic-preview.routes.ts'
import * as topics from './topics/topics.routes.ts'
import { verbatims } from './verbatim.entity.ts'
import { GROUPS, textFields } from './verbatim-fields.store.ts'
import * as texts from './verbatim.routes.ts'
import { hasDue } from '../../../platform/work/due-tenants.ts'
import type { Sweep } from '../../../platform/work/sweeps.ts'
import { askAboutTexts } from './classify/model.service.ts'
import { topicNames } from './topics/topics.service.ts'
import { dueRuns } from './topics/topics.store.ts'
import { dueWaiting } from './verbatim.store.ts'

/** Indexes new texts, and classifies those of completed responses. A save with texts wakes the sweeps. */
export const newTextsSweep: Sweep = {
  name: 'verbatim.new',
  everySeconds: 300,
  isDue: (tx, now, among) => hasDue(tx, among, dueWaiting(now)),
  run: classifyWaiting,
}

/** Classifies every text again after a change of a topic. */
export const topicRunsSweep: Sweep = {
  name: 'verbatim.again',
  everySeconds: 300,
  isDue: (tx, now, among) => hasDue(tx, among, dueRuns(now)),
  run: classifyAgain,
}

/** Asks the language model about texts that the rules have classified. Without one it costs no query. */
export const modelSweep: Sweep = {
  name: 'verbatim.model',
  everySeconds: ({ configured }) => (configured.ai ? 30 : 300),
  run: askAboutTexts,
}

export const verbatim = {
  name: 'verbatim',
  listeners: [onRemoved, onWritten],
  routes: [...Object.values(texts), ...Object.values(topics), previewTopicRoute],
  sweeps: [newTextsSweep, topicRunsSweep, modelSweep],
  entities: { verbatim: verbatims },
  fields: { responses: textFields(responses.filters, searchCondition) },
  parts: {
    lists: { verbatim: listedVerbatim },
    groups: GROUPS,
    widgets: { verbatim: { rows: 'texts', list: listNewest, builtIn: LATEST_TEXTS } },
    names: { topic: topicNames },
  },
  personal,
} satisfies Feature<Route>
