import { createRandom, type Given } from './verdict.ts'

/** The arguments of a short run in the tests: always the same seed, and no progress reports. */
export function givenFor(databaseUrl: string): Given {
  return { databaseUrl, random: createRandom(2), say: () => {} }
}
