import type { Route } from '../../../http/routes/route.ts'
import type { Feature } from '../../../platform/feature.ts'
import type { TextListener } from './classify/classify.service.ts'
import { onRemoved, onWritten } from './classify/marks.service.ts'
import { responses } from '../rows/response.entity.ts'
import { personal } from './personal.service.ts'
import { searchCondition } from './search/search.store.ts'
import * as topics from './topics/topics.routes.ts'
import { verbatims } from './verbatim.entity.ts'
import { textFields } from './verbatim-fields.store.ts'
import * as texts from './verbatim.routes.ts'
import { modelSweep, newTextsSweep, topicRunsSweep } from './classify/verbatim.sweeps.ts'

/**
 * @param listeners hear of each classified text in its transaction, and once more of a language model's word.
 */
export function createVerbatim(listeners: TextListener[]) {
  return {
    name: 'verbatim',
    listeners: [onRemoved, onWritten],
    routes: [...Object.values(texts), ...Object.values(topics)],
    sweeps: [newTextsSweep(listeners), topicRunsSweep, modelSweep(listeners)],
    entities: { verbatim: verbatims },
    fields: { responses: textFields(responses.filters, searchCondition) },
    personal,
  } satisfies Feature<Route>
}
