import type { Route } from '../../../http/routes/route.ts'
import type { Feature } from '../../../platform/feature.ts'
import type { Fields } from '../../../platform/filter/entity.ts'
import type { TextListener } from './classify/classify.service.ts'
import { onRemoved, onWritten } from './classify/marks.service.ts'
import { personal } from './personal.service.ts'
import { searchCondition } from './search/search.store.ts'
import * as topics from './topics/topics.routes.ts'
import { textFields } from './verbatim-fields.store.ts'
import * as texts from './verbatim.routes.ts'
import { modelSweep, newTextsSweep, topicRunsSweep } from './classify/verbatim.sweeps.ts'

/**
 * @param base the fields of responses, of which `text` gains `search`.
 * @param listeners hear of each classified text in its transaction, and once more of a language model's word.
 */
export function createVerbatim(base: Fields, listeners: TextListener[]) {
  return {
    name: 'verbatim',
    listeners: [onRemoved, onWritten],
    routes: [...Object.values(texts), ...Object.values(topics)],
    sweeps: [newTextsSweep(listeners), topicRunsSweep, modelSweep(listeners)],
    fields: { responses: textFields(base, searchCondition) },
    personal,
  } satisfies Feature<Route>
}
