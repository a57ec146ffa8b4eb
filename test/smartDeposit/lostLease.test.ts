import { expect, onTestFinished, test } from 'vitest'
import { connect } from '../../db/sql.ts'
import { createLogger } from '../../processes/logger.ts'
import { createKeeperPart } from '../../worker/smartDeposit/keeperPart.ts'
import { httpOrderQuotes } from '../../worker/smartDeposit/orderQuotes.ts'
import { asProcessRole } from '../support/databaseRole.ts'
import { startTestMetrics } from '../support/testMetrics.ts'
import { until } from '../support/until.ts'
import { keeperAccount, startKeptWorld } from './keeperWorld.ts'

const SERIES = /^causeway_keeper_(held|spent_ratio|balance)\{chain="1"/m

test('behavior: a worker that lost the lease of a chain shows no spending and no hold of it', async () => {
  const { w } = await startKeptWorld()
  onTestFinished(w.stop)
  const { url, stop } = await startTestMetrics(w.context)
  onTestFinished(stop)
  const scrape = async () => (await fetch(url)).text()
  const databaseUrl = asProcessRole(w.databaseUrl, 'worker')
  const sql = connect(databaseUrl, { applicationName: 'test', max: 1 })
  onTestFinished(() => sql.end())
  const endLeases = () => sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'causeway-keeper-lease' and datname = current_database()`
  const part = createKeeperPart({
    databaseUrl,
    service: w.context,
    listener: { onChange: () => () => {} },
    accounts: [keeperAccount],
    payerScreening: null,
    orderQuotes: httpOrderQuotes('http://127.0.0.1:9', null),
    logger: createLogger('test', 'silent'),
  })
  const running = await part.start?.()
  onTestFinished(async () => running?.stop())
  await endLeases()
  await until(async () => SERIES.test(await scrape()))
  await endLeases()
  // Another worker has the chain before this one asks for it again.
  await until(() =>
    w.takeOver().then(
      () => true,
      () => false,
    ),
  )
  await until(
    async () => !SERIES.test(await scrape()),
    () => 'its last values stay',
  )
  expect(await scrape()).toContain('causeway_keeper_lag_seconds{chain="1"}')
}, 60_000)
