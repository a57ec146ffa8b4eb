import { setTimeout as sleep } from 'node:timers/promises'
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
const RETRY_MS = 100

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

/** Sends this many requests at once; returns how many passed. The others were refused with a time to retry. */
async function passed(requests: number): Promise<number> {
  const answers = await Promise.all(
    Array.from({ length: requests }, async () => {
      for (;;) {
        const response = await fetch(`${balancer.url}/v1/transit/orders/quote`)
        const body = await response.text()
        // A burst can be too much for a busy machine. Such a request counts for nothing and is sent again.
        if (response.status === 503 && body.includes('"OVERLOADED"')) {
          await sleep(RETRY_MS)
          continue
        }
        // A request within the limit is refused for its missing parameters.
        expect([400, 429]).toContain(response.status)
        return response.status
      }
    }),
  )
  return answers.filter((status) => status !== 429).length
}

test('behavior: two processes share a limit, and a restart does not renew a quota', async () => {
  const first = await passed(400)
  expect(first).toBeGreaterThanOrEqual(LIMIT - 2 * LEASE)
  expect(first).toBeLessThanOrEqual(LIMIT)

  await Promise.all([apis.restart(0), apis.restart(1)])
  const second = await passed(400)
  expect(first + second).toBeLessThanOrEqual(LIMIT)
})
