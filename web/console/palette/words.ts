import type { Loaders } from '../words/words.ts'

export const paletteWords: Loaders = {
  en: () => import('./words/en.json'),
  de: () => import('./words/de.json'),
  es: () => import('./words/es.json'),
  ar: () => import('./words/ar.json'),
}
