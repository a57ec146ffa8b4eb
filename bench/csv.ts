import { once } from 'node:events'
import { migrate } from '../db/migrate.ts'
import { openCsv } from '../test/support/csv.ts'
import { freePorts } from '../test/support/freePorts.ts'
import { startBenchApi } from './benchApi.ts'
import { benchAddressBook } from './benchChains.ts'
import { startBenchPostgres } from './benchPostgres.ts'
import { seedOrders } from './seedOrders.ts'

/**
 * Measures a list of 100,000 orders as CSV: its time, and the heap that the api keeps for it; then the heap while a
 * client does not read. `node bench/csv.ts`. Ends with 1 if a bound is broken.
 */
const ORDERS = 250_000
const ROWS = 100_000
const MOST_SECONDS = 120
/** Less than the rows, which are some 70 MB: kept pages would show. */
const MOST_GROWTH_MB = 30
const STALLED_MS = 5_000
let isReading = false
const print = (line: string) => process.stdout.write(`${line}\n`)

const postgres = await startBenchPostgres()
try {
  await migrate(postgres.url)
  await seedOrders(postgres.url, ORDERS)
  const [metricsPort = 0] = await freePorts(1)
  // With more, garbage is collected too seldom to see what is kept.
  const variables = {
    METRICS_PORT: String(metricsPort),
    NODE_OPTIONS: '--max-old-space-size=200',
  }
  const api = await startBenchApi({
    databaseUrl: postgres.url,
    addressBook: benchAddressBook,
    variables,
  })
  await measure(api.url, metricsPort).finally(api.stop)
} finally {
  await postgres.stop()
}

async function measure(url: string, metricsPort: number) {
  const filter = encodeURIComponent(`distributorCode = 0x${'0'.repeat(64)}`)
  const path = `${url}/v1/transit/orders?filter=${filter}`
  // After the first pages the code is compiled and the caches are filled.
  for (let page = 0; page < 20; page += 1) await (await fetch(`${path}&pageSize=100`)).arrayBuffer()
  const start = performance.now()
  const [rows, used] = await Promise.all([readAll(path), usedWhileReading(metricsPort)])
  const seconds = (performance.now() - start) / 1_000
  report(`${rows} rows in ${seconds.toFixed(1)} s`, rows === ROWS && seconds <= MOST_SECONDS)
  const quarter = Math.floor(used.length / 4)
  const before = Math.min(...used.slice(0, quarter))
  const growth = Math.min(...used.slice(-quarter)) - before
  report(
    `from its first to its last quarter the heap grew by ${mb(growth)}`,
    growth <= MOST_GROWTH_MB,
  )
  const stalled = await openCsv(path)
  const still = await usedFor(metricsPort, STALLED_MS)
  stalled.on('error', () => {}).destroy()
  const held = Math.min(...still) - before
  report(`and by ${mb(held)} for a client that does not read`, held <= MOST_GROWTH_MB)
}

function mb(value: number): string {
  return `${value.toFixed(0)} MB`
}

async function readAll(path: string): Promise<number> {
  isReading = true
  const message = await openCsv(path)
  let lines = 0
  message.on('data', (chunk: Buffer) => {
    for (const byte of chunk) if (byte === 10) lines += 1
  })
  await once(message, 'end').finally(() => {
    isReading = false
  })
  return lines - 1
}

/** The used heap in MB, every 200 ms. Its least value in a time is what is left after garbage collection. */
async function usedWhileReading(port: number): Promise<number[]> {
  const used: number[] = []
  while (isReading) used.push(...(await usedFor(port, 200)))
  return used
}

async function usedFor(port: number, ms: number): Promise<number[]> {
  const used: number[] = []
  for (const end = performance.now() + ms; performance.now() < end; ) {
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
    used.push(Number(/^nodejs_heap_size_used_bytes\S* (\S+)/m.exec(text)?.[1]) / 1_048_576)
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  return used
}

function report(line: string, holds: boolean) {
  print(`${holds ? 'holds ' : 'BROKEN'}  ${line}`)
  if (!holds) process.exitCode = 1
}
