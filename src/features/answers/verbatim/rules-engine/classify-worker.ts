import { parentPort } from 'node:worker_threads'
import { createClassifier, type Classified, type GivenText } from './classifier.ts'
import type { TopicWords } from './topic-match.ts'

export interface ClassifyTask {
  topics: TopicWords[]
  texts: GivenText[]
}

let last: { key: string; classify: (given: GivenText) => Classified } | null = null

parentPort?.on('message', ({ topics, texts }: ClassifyTask) => {
  const key = JSON.stringify(topics)
  if (last?.key !== key) last = { key, classify: createClassifier(topics) }
  const { classify } = last
  parentPort?.postMessage(texts.map((text) => classify(text)))
})
