import { once } from 'node:events'
import { migrate } from '../db/migrate.ts'
import { openCsv } from '../test/support/csv.ts'
import { freePorts } from '../test/support/freePorts.ts'
import { startTemporaryPostgres } from '../test/support/temporaryPostgres.ts'
import { startBenchApi } from './benchApi.ts'
import { benchAddressBook } from './benchChains.ts'
import { seedOrders } from './seedOrders.ts'

/**
 * Measures a list of 100,000 orders as CSV: its time, and the memory that the api takes for it; then the memory while a
 * client does not read. `node bench/csv.ts`. Ends with 1 if a bound is broken.
 */
const ORDERS = 250_000
const ROWS = 100_000
const MOST_SECONDS = 120
/** What a process grows by in any case while it answers, and not the rows, which are some 70 MB. */
const MOST_GROWTH_MB = 60
const STALLED_MS = 5_000
let isReading = false
const print = (line: string) => process.stdout.write(`${line}\n`)

const postgres = await startTemporaryPostgres()
try {
  await migrate(postgres.url)
  await seedOrders(postgres.url, ORDERS)
  const [metricsPort = 0] = await freePorts(1)
  const variables = { METRICS_PORT: String(metricsPort) }
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
  // The first pages make the process as large as any answers would.
  for (let page = 0; page < 20; page += 1) await (await fetch(`${path}&pageSize=100`)).arrayBuffer()
  const before = await residentMb(metricsPort)
  const start = performance.now()
  const [rows, most] = await Promise.all([readAll(path), mostResidentMb(metricsPort)])
  const seconds = (performance.now() - start) / 1_000
  report(`${rows} rows in ${seconds.toFixed(1)} s`, rows === ROWS && seconds <= MOST_SECONDS)
  const growth = most - before
  report(`the api grew by ${growth.toFixed(0)} MB`, growth <= MOST_GROWTH_MB)
  const stalled = await openCsv(path)
  await new Promise((resolve) => setTimeout(resolve, STALLED_MS))
  const held = (await residentMb(metricsPort)) - before
  stalled.on('error', () => {}).destroy()
  report(`and by ${held.toFixed(0)} MB for a client that does not read`, held <= MOST_GROWTH_MB)
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

async function mostResidentMb(port: number): Promise<number> {
  let most = 0
  while (isReading) {
    most = Math.max(most, await residentMb(port))
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  return most
}

async function residentMb(port: number): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  return Number(/^process_resident_memory_bytes\S* (\S+)/m.exec(text)?.[1]) / 1_048_576
}

function report(line: string, holds: boolean) {
  print(`${holds ? 'holds ' : 'BROKEN'}  ${line}`)
  if (!holds) process.exitCode = 1
}
