import { Writable } from 'node:stream'
import { pino } from 'pino'
import { Gauge, Registry } from 'prom-client'
import { expect, onTestFinished, test } from 'vitest'
import { serveMetrics } from './serveMetrics.ts'

test('error: a metric that cannot be collected is logged, and the scrape fails', async () => {
  const lines: string[] = []
  const write = (line: Buffer, _: string, done: () => void) => {
    lines.push(String(line))
    done()
  }
  const registry = new Registry()
  new Gauge({
    name: 'depth',
    help: 'A depth.',
    registers: [registry],
    collect() {
      throw new Error('no depth')
    },
  })
  const logger = pino(new Writable({ write }))
  const { url, stop } = await serveMetrics(registry, { host: '127.0.0.1', port: 0, logger })
  onTestFinished(stop)
  expect((await fetch(url)).status).toBe(500)
  expect(lines.join()).toContain('no depth')
})
