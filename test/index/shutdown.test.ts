import { expect, onTestFinished, test } from 'vitest'
import { benchAddressBook } from '../../bench/benchChains.ts'
import { type Build, registerBuild } from '../../db/indexBuilds.ts'
import { connect } from '../../db/sql.ts'
import { runLauncher } from '../../processes/indexer/indexLauncher.ts'
import { startRelay } from '../../processes/indexer/relay.ts'
import { createLogger } from '../../processes/logger.ts'
import { startTestAnvils } from '../support/anvils.ts'
import { createTestDatabase } from '../support/postgres.ts'

const BUILD: Build = { postgresSchema: 'next', chainIds: [1], buildHash: 'next' }

test('error: a signal while the start of Ponder is prepared ends the launcher without Ponder', async () => {
  const database = await createTestDatabase()
  onTestFinished(database.drop)
  const sql = connect(database.url, { applicationName: 'test', max: 2 })
  onTestFinished(() => sql.end())
  const anvils = await startTestAnvils([1])
  onTestFinished(anvils.stop)
  await registerBuild(sql, BUILD)
  const logger = createLogger('test', 'silent')
  const relay = await startRelay(
    [
      {
        id: 1,
        finalityDepth: 65,
        contracts: new Set(),
        rpcUrls: [anvils.rpcUrls[1] ?? ''],
        wsUrls: [],
        pollIntervalMs: 100,
        patienceMs: 1_000,
      },
    ],
    logger,
  )
  onTestFinished(relay.stop)
  const shutdown = new AbortController()
  const line = relay.lines.get(1)
  if (!line) throw new Error('the relay has chain 1')
  // It is read while the start is prepared, and not before.
  line.pace.refusal = () => {
    shutdown.abort()
    return null
  }
  const ending = await runLauncher({
    sql,
    build: BUILD,
    generations: [0],
    lines: relay.lines,
    patienceMs: 1_000,
    bookChains: benchAddressBook.chains,
    startPonder() {
      throw new Error('Ponder is started after the signal')
    },
    signal: shutdown.signal,
    logger,
  })
  expect(ending).toBe('stopped')
})
