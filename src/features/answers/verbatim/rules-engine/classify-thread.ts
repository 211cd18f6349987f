import { createWorkThread } from '../../../../platform/loop/work-thread.ts'
import type { Classified, GivenText } from './classifier.ts'
import type { ClassifyTask } from './classify-worker.ts'
import type { TopicWords } from './topic-match.ts'

const thread = createWorkThread<ClassifyTask, Classified[]>(new URL('./classify-worker.ts', import.meta.url), {
  name: 'texts',
  mostMs: 20_000,
  memoryMb: 128,
})

/** Classifies texts on another thread, so that no text holds up this one. @throws WorkFailedError */
export function classifyTexts(topics: TopicWords[], texts: GivenText[]): Promise<Classified[]> {
  return thread.run({ topics, texts })
}
