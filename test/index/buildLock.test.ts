import { expect, onTestFinished, test } from 'vitest'
import { within } from '../../domain/loop/within.ts'
import { type BuildLock, holdBuildLock } from '../../processes/indexer/buildLock.ts'
import { createLogger } from '../../processes/logger.ts'
import { startPausingProxy } from '../support/pausingProxy.ts'
import { createTestDatabase } from '../support/postgres.ts'

async function startDatabase() {
  const database = await createTestDatabase()
  onTestFinished(database.drop)
  const proxy = await startPausingProxy(database.url)
  onTestFinished(proxy.stop)
  return { database, proxy }
}

function hold(databaseUrl: string, onLost: () => void): Promise<BuildLock | null> {
  return holdBuildLock(databaseUrl, 'index_1_held', {
    signal: AbortSignal.timeout(5_000),
    onLost,
    logger: createLogger('indexer', 'silent'),
  })
}

test('error: the lock is lost with a server that is silent, but closes nothing', async () => {
  const { proxy } = await startDatabase()
  const lost = Promise.withResolvers<true>()
  await hold(proxy.url, () => lost.resolve(true))
  proxy.pause()
  expect(await within(15_000, lost.promise)).toBe(true)
}, 30_000)

test('default: a lock that is given back is not lost, and another indexer gets it', async () => {
  const { database, proxy } = await startDatabase()
  let losses = 0
  const onLost = () => {
    losses += 1
  }
  const first = await hold(proxy.url, onLost)
  await first?.release()
  const second = await hold(database.url, onLost)
  expect(second).not.toBe(null)
  await second?.release()
  expect(losses).toBe(0)
})
