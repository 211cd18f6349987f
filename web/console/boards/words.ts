import type { Loaders } from '../words/words.ts'

export const boardsWords: Loaders = {
  en: () => import('./words/en.json'),
  de: () => import('./words/de.json'),
  es: () => import('./words/es.json'),
  ar: () => import('./words/ar.json'),
}
