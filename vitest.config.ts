import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { repeatedTests } from './src/testing/runs/repeated-tests.ts'
import { slowTests } from './src/testing/runs/slow-tests.ts'

const TESTS = ['src', 'web', 'scripts', 'torture'].map((folder) => `${folder}/**/*.test.ts`)
const SLOW = ['**/*.slow.test.ts', '**/*.browser.test.ts', 'torture/**/*.test.ts']
// These replace a module. All others share the modules of their worker, which halves the time of a run.
const REPLACING = [
  'src/features/access/sessions/sessions.test.ts',
  'src/features/access/sessions/sign-in-attempts.test.ts',
]
// These begin first, so that no worker ends with one alone.
const LONG = [
  'src/house/api/random-requests-pg.property.test.ts',
  'src/house/api/contract-pg.test.ts',
  'src/house/api/audit-contract.test.ts',
  'src/house/code/plans.slow.test.ts',
  'src/features/programme/kills.slow.test.ts',
  'src/house/api/contract-pglite.slow.test.ts',
  'src/house/api/random-requests-pglite.slow.test.ts',
  'torture/jobs/sends.test.ts',
  'torture/jobs/exports.test.ts',
  'torture/attackers/attackers.test.ts',
  'src/house/privacy/anonymity-attack.slow.test.ts',
  'src/server.slow.test.ts',
  'web/console/screens/build/build.browser.test.ts',
  'web/console/screens/settings/settings.browser.test.ts',
  'web/respondent/long-survey.browser.test.ts',
]

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const placeOf = ({ moduleId, project }: TestSpecification) => {
      const at = LONG.findIndex((path) => moduleId.endsWith(path))
      return project.name === 'replacing' ? -1 : at === -1 ? LONG.length : at
    }
    return (await super.sort(files)).toSorted((a, b) => placeOf(a) - placeOf(b))
  }
}

// `npm test` runs `replacing` and `fast`, `npm run test:rest` runs `rest`. STYLE.md says what belongs where.
export default defineConfig({
  test: {
    globalSetup: ['src/testing/runs/global-setup.ts'],
    reporters: ['default', slowTests({ projects: ['fast', 'replacing'], mostMs: 3_000 }), repeatedTests()],
    sequence: { sequencer: LongestFirst },
    // Node runs the files as the product runs, without a bundler between them.
    experimental: { viteModuleRunner: false },
    pool: 'forks',
    maxWorkers: 2,
    // A machine under load answers late. Only a failing test waits so long.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 15_000 } },
    projects: [
      { extends: true, test: { name: 'replacing', include: REPLACING } },
      {
        extends: true,
        test: { name: 'fast', include: TESTS, exclude: [...SLOW, ...REPLACING, '**/node_modules/**'], isolate: false },
      },
      {
        extends: true,
        test: {
          name: 'rest',
          // Browsers and processes that are killed wait more than they work.
          maxWorkers: 3,
          // Only a group of its own may have another number of workers.
          sequence: { groupOrder: 1 },
          // Some visit twenty screens. A browser that waits in vain ends its test after 30 s.
          testTimeout: 180_000,
          // Once more where a browser waited in vain, by the words of Playwright. A wrong answer fails at once.
          retry: { count: 1, condition: /^[\w.]+: Timeout \d+ms exceeded/ },
          include: [...SLOW, ...TESTS.map((path) => path.replace('*.test', '*.property.test'))],
          exclude: ['**/node_modules/**'],
          isolate: false,
          env: { FUZZ_RUNS: process.env['FUZZ_RUNS'] ?? '1' },
        },
      },
    ],
  },
})
