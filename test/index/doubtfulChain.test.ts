import type { Sql } from 'postgres'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { connect } from '../../db/sql.ts'
import { type WatchOptions, watchChains } from '../../processes/indexer/watchChains.ts'
import { createLogger } from '../../processes/logger.ts'
import {
  createTestDatabase,
  INDEX_TEMPLATE_DATABASE,
  type TestDatabase,
} from '../support/postgres.ts'
import { BUILD, replaceHeads } from '../support/testIndex.ts'

let database: TestDatabase
let sql: Sql<{ bigint: bigint }>
beforeAll(async () => {
  database = await createTestDatabase(INDEX_TEMPLATE_DATABASE)
  sql = connect(database.url, { applicationName: 'test', max: 3 })
})
afterAll(async () => {
  await sql?.end()
  await database?.drop()
})

/** Whether the chain is answered, by the copy of its head. */
async function isAnswered() {
  const [row] = await sql<{ isReady: boolean }[]>`
    select h.is_ready as "isReady" from read.index_head h
    join app.index_build b on b.id = h.build where b.chain_id = 1`
  return row?.isReady
}

test('behavior: a chain in doubt stays unanswered when its index writes the next head', async () => {
  let isInDoubt = true
  const follower = { isInDoubt: () => isInDoubt, tip: () => null, mayBeShorter: () => false }
  const line = { follower, pace: { refusal: () => null }, start: null, requests: 0 }
  // Cast, because the watch reads no more of a line than this.
  const lines = new Map([[1, line]]) as unknown as WatchOptions['lines']
  const ended = new AbortController()
  const watching = watchChains(
    {
      sql,
      build: { postgresSchema: BUILD, chainIds: [1], buildHash: 'test' },
      generations: [0],
      lines,
      onRebuildOrdered: () => {},
      onStalled: () => {},
      onStuckStart: async () => {},
      cpuMs: () => 0,
      failures: { look: async () => {} },
      logger: createLogger('test', 'silent'),
    },
    ended.signal,
  )
  onTestFinished(async () => {
    ended.abort()
    await watching
  })
  await expect.poll(isAnswered).toBe(false)
  await replaceHeads(sql)
  expect(await isAnswered()).toBe(true)
  await expect.poll(isAnswered).toBe(false)
  isInDoubt = false
  await expect.poll(isAnswered).toBe(true)
})
