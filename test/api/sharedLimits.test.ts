import { afterAll, beforeAll, expect, test } from 'vitest'
import { RATE_LIMITS } from '../../domain/limits/rateLimits.ts'
import { type ApiReplicas, startApiReplicas } from '../support/apiReplicas.ts'
import { startBalancer } from '../support/balancer.ts'
import {
  createTestDatabase,
  INDEX_TEMPLATE_DATABASE,
  type TestDatabase,
} from '../support/postgres.ts'

/** Two real processes behind one address. */

const LIMIT = RATE_LIMITS.anonymous.prepare ?? 0
const LEASE = 10

let database: TestDatabase
let apis: ApiReplicas
let balancer: Awaited<ReturnType<typeof startBalancer>>
beforeAll(async () => {
  database = await createTestDatabase(INDEX_TEMPLATE_DATABASE)
  apis = await startApiReplicas(database.url, [{ RATE_LIMITS: 'on' }, { RATE_LIMITS: 'on' }])
  balancer = await startBalancer(apis.replicas.map(({ port }) => port))
})
afterAll(async () => {
  balancer.stop()
  await apis.stop()
  await database.drop()
})

/** How many of so many at once passed; the others were told to come back later. */
async function passed(requests: number): Promise<number> {
  const answers = await Promise.all(
    Array.from({ length: requests }, async () => {
      // Refused for the parameters it lacks, once it was let through.
      const response = await fetch(`${balancer.url}/v1/transit/orders/quote`)
      await response.arrayBuffer()
      expect([400, 429]).toContain(response.status)
      return response.status
    }),
  )
  return answers.filter((status) => status !== 429).length
}

test('behavior: two processes share a limit, and a restart gives nobody a fresh allowance', {
  timeout: 50_000,
}, async () => {
  const first = await passed(1_000)
  expect(first).toBeGreaterThanOrEqual(LIMIT - 2 * LEASE)
  expect(first).toBeLessThanOrEqual(LIMIT)

  await apis.restart(0)
  await apis.restart(1)
  const second = await passed(1_000)
  expect(first + second).toBeLessThanOrEqual(LIMIT)
})
