import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: process.env['X']
      ? ['src/testing/cluster/*.cluster.ts']
      : ['src/**/*.test.ts', 'web/**/*.test.ts', 'scripts/**/*.test.ts', 'torture/**/*.test.ts'],
    globalSetup: ['src/testing/global-setup.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
