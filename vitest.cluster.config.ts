import { configDefaults, defineConfig } from 'vitest/config'

/** The tests of a cluster: its flows, and test files that run on any PostgreSQL. */
export default defineConfig({
  test: {
    include: ['src/testing/cluster/*.cluster.ts', 'src/**/*.test.ts'],
    // Its gates are triggers, which a distributed table cannot have. `torture kills` kills on a cluster.
    exclude: [...configDefaults.exclude, 'src/features/programme/kills.slow.test.ts'],
    globalSetup: ['src/testing/runs/global-setup.ts'],
    pool: 'forks',
    maxWorkers: 1,
    testTimeout: 120_000,
    hookTimeout: 240_000,
  },
})
