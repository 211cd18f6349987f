import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

// These take a minute or more. They begin first, so that no worker ends with one alone.
const LONG = [
  'src/random-requests-pg-even.test.ts',
  'src/random-requests-pg-odd.test.ts',
  'src/contract-pglite.test.ts',
  'src/contract-pg.test.ts',
  'src/random-requests-pglite.test.ts',
  'src/plans.test.ts',
  'src/audit-contract.test.ts',
  'torture/sends.test.ts',
  'torture/exports.test.ts',
  'web/respondent/long-survey.browser.test.ts',
]

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const placeOf = ({ moduleId }: TestSpecification) => {
      const at = LONG.findIndex((path) => moduleId.endsWith(path))
      return at === -1 ? LONG.length : at
    }
    return (await super.sort(files)).toSorted((a, b) => placeOf(a) - placeOf(b))
  }
}

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'web/**/*.test.ts', 'scripts/**/*.test.ts', 'torture/**/*.test.ts'],
    globalSetup: ['src/testing/global-setup.ts'],
    sequence: { sequencer: LongestFirst },
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
