import { createRequire } from 'node:module'
import { defineConfig } from 'vitest/config'

/** Whole products, and clients that wait for nodes: two at once starve each other on two cores. */
const ALONE = [
  'test/index/**/*.test.ts',
  'test/simulation/**/*.test.ts',
  'test/start/**/*.test.ts',
  'test/api/quoteReads.test.ts',
]
const NEVER = ['**/node_modules/**', '.causeway/**']

export default defineConfig({
  // Two copies of graphql would each call the other's schemas foreign.
  resolve: {
    alias: [{ find: /^graphql$/, replacement: createRequire(import.meta.url).resolve('graphql') }],
  },
  test: {
    globalSetup: ['test/support/globalSetup.ts'],
    pool: 'forks',
    testTimeout: 20_000,
    hookTimeout: 60_000,
    retry: 0,
    projects: [
      {
        extends: true,
        test: {
          name: 'together',
          include: ['**/*.test.ts'],
          exclude: [...NEVER, ...ALONE],
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'alone',
          include: ALONE,
          exclude: NEVER,
          maxWorkers: 1,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
})
