import { createRequire } from 'node:module'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  // Two copies of graphql would each call the other's schemas foreign.
  resolve: {
    alias: [{ find: /^graphql$/, replacement: createRequire(import.meta.url).resolve('graphql') }],
  },
  test: {
    include: ['**/*.test.ts'],
    exclude: ['**/node_modules/**', '.causeway/**'],
    globalSetup: ['test/support/globalSetup.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 60_000,
    retry: 0,
  },
})
