import { createRandom, type Given } from './verdict.ts'

/** What a short run gets in the tests: always the same seed, and nobody to tell of its progress. */
export function givenFor(databaseUrl: string): Given {
  return { databaseUrl, random: createRandom(2), say: () => {} }
}
