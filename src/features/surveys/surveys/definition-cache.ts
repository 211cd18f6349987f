import type { SurveyDefinition } from '../../../survey-engine/model/definition.ts'

export interface DefinitionCache {
  get(key: string): SurveyDefinition | undefined
  /** Parses the text once and keeps it; whatever was used longest ago makes room. */
  set(key: string, text: string): SurveyDefinition
}

/** @param mostChars of JSON text, all entries together. */
export function createDefinitionCache(mostChars: number): DefinitionCache {
  const entries = new Map<string, { definition: SurveyDefinition; chars: number }>()
  let chars = 0
  const drop = (key: string) => {
    chars -= entries.get(key)?.chars ?? 0
    entries.delete(key)
  }
  return {
    get(key) {
      const entry = entries.get(key)
      if (!entry) return undefined
      entries.delete(key)
      entries.set(key, entry)
      return entry.definition
    },
    set(key, text) {
      const definition = JSON.parse(text) as SurveyDefinition
      drop(key)
      entries.set(key, { definition, chars: text.length })
      chars += text.length
      for (const oldest of entries.keys()) {
        if (chars <= mostChars || oldest === key) break
        drop(oldest)
      }
      return definition
    },
  }
}
