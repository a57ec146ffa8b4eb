import { expect, onTestFinished, test } from 'vitest'
import { connect } from '../../db/sql.ts'
import { startTestApi } from '../support/api.ts'
import { startPausingProxy } from '../support/pausingProxy.ts'
import { startTestMetrics } from '../support/testMetrics.ts'

test('error: while the database is silent, the metrics are served without it', async () => {
  const api = await startTestApi()
  onTestFinished(api.stop)
  const proxy = await startPausingProxy(api.databaseUrl)
  const sql = connect(proxy.url, { applicationName: 'test', max: 10 })
  onTestFinished(async () => {
    await proxy.stop()
    await sql.end({ timeout: 0 })
  })
  const { url, stop } = await startTestMetrics({ ...api.context, sql })
  onTestFinished(stop)
  const scrape = async () => (await fetch(url, { signal: AbortSignal.timeout(5_000) })).text()
  expect(await scrape()).toMatch(/^causeway_queue_depth\{/m)
  proxy.pause()
  // The second one comes while the reads of the first one still hang.
  for (const text of [await scrape(), await scrape()]) {
    expect(text).toMatch(/^process_resident_memory_bytes \d/m)
    expect(text).not.toMatch(/^causeway_(queue_depth|index_lag_seconds)\{/m)
  }
}, 30_000)
