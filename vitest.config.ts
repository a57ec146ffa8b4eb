import { createRequire } from 'node:module'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { compileCacheFolder } from './processes/compileCacheFolder.ts'
import { LongestFirst } from './test/support/longestFirst.ts'
import { PATIENCE_MS } from './test/support/patience.ts'

const NEVER = ['**/node_modules/**', '.causeway/**', '{console,mcp,sdk,site}/dist/**']
/**
 * Random histories, later starts of whole products, nodes that fail for long, the walk through the console, plans over
 * many rows, snapshots, and thousands of connections: `npm run test:long`.
 */
const LONG = [
  'test/simulation/**/*.test.ts',
  'test/start/parts.test.ts',
  'test/console/developers.test.ts',
  'test/domain/**/*ReadCosts.test.ts',
  'test/index/snapshot.test.ts',
  'test/api/clientCaps.test.ts',
]
/** Builds deploy/Dockerfile: `npm run test:image`. */
const IMAGE = ['test/image/{chart,image}.test.ts']
/** What `npm run site` has built: `npm run check:site`. */
const SITE = ['test/site/*.test.ts']
/** For two cores. With three, long files met their limits of time. */
const WORKERS = 2
/** Tests with a Postgres and with nodes. Files share a process: loading the api takes two seconds. */
const services = {
  globalSetup: 'test/support/globalSetup.ts',
  pool: 'forks',
  isolate: false,
  maxWorkers: WORKERS,
  // For the hundred processes that the tests start.
  env: { NODE_COMPILE_CACHE: compileCacheFolder(import.meta.dirname) },
} as const

export default defineConfig({
  resolve: {
    alias: [
      // Two copies of graphql would each call the other's schemas foreign.
      { find: /^graphql$/, replacement: createRequire(import.meta.url).resolve('graphql') },
      // The tests of the console and of the MCP server need no built client.
      { find: /^@causeway\/sdk$/, replacement: join(import.meta.dirname, 'sdk/src/index.ts') },
      {
        find: /^@causeway\/sdk\/shield$/,
        replacement: join(import.meta.dirname, 'sdk/src/shield/index.ts'),
      },
    ],
  },
  test: {
    retry: 0,
    sequence: { sequencer: LongestFirst },
    // Whole products start in some, on slow and busy machines too. No test states a speed with them.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: PATIENCE_MS } },
    coverage: {
      provider: 'v8',
      include: ['{abis,api,cli,db,devnet,domain,processes,schema,src,worker}/**/*.ts'],
      exclude: ['**/*.test.ts'],
      reporter: ['text', 'json-summary'],
      reportsDirectory: '.causeway/coverage',
    },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['**/*.test.ts'],
          exclude: [...NEVER, 'test/**'],
          pool: 'threads',
          isolate: false,
          maxWorkers: WORKERS,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          ...services,
          name: 'services',
          include: ['test/**/*.test.ts'],
          exclude: [...NEVER, ...LONG, ...IMAGE, ...SITE],
          // With the unit tests: no worker idles at the end of one project.
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          ...services,
          name: 'long',
          include: LONG,
          exclude: NEVER,
          sequence: { groupOrder: 2 },
        },
      },
      {
        extends: true,
        test: { ...services, name: 'site', include: SITE, sequence: { groupOrder: 4 } },
      },
      {
        extends: true,
        test: { ...services, name: 'image', include: IMAGE, sequence: { groupOrder: 3 } },
      },
    ],
  },
})
