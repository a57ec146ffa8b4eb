import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type BenchCase, type BenchOptions, caseHolds } from './figure.ts'
import { caseLine, figureTables } from './figureTable.ts'
import { measureEarnLists } from './measureEarnLists.ts'
import { measureJourneys } from './measureJourneys.ts'
import { measureMemory } from './measureMemory.ts'
import { measureNews } from './measureNews.ts'
import { measureOrders } from './measureOrders.ts'
import { measureQuotes } from './measureQuotes.ts'
import { writePerformance } from './performancePage.ts'
import { readRun } from './runFacts.ts'

/**
 * Measures the service beside its floor and its peers: `npm run bench -- [options] [words of the names of cases]`. Prints
 * tables, writes JSON to .causeway/bench, and with `--write` the figures of docs/performance.md. Ends with 1 if a bound is broken.
 */
const GROUPS = ['orders', 'journeys', 'earn', 'quotes', 'news', 'memory']
const { values, positionals: words } = parseArgs({
  allowPositionals: true,
  options: {
    /** The groups to measure. The memory takes ten minutes by itself. */
    only: { type: 'string', default: 'orders,journeys,earn,quotes,news' },
    /** The sizes of the tables. */
    orders: { type: 'string', default: '10000,100000,1000000' },
    transfers: { type: 'string', default: '1000000' },
    requests: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '3' },
    /** The orders whose news is awaited. */
    news: { type: 'string', default: '300' },
    /** How long the memory is watched. */
    minutes: { type: 'string', default: '10' },
    write: { type: 'boolean', default: false },
  },
})
const only = values.only.split(',')
const unknown = only.filter((group) => !GROUPS.includes(group))
if (unknown.length > 0) throw new Error(`There is no group ${unknown}; there are ${GROUPS}`)
const print = (line: string) => process.stdout.write(`${line}\n`)

const cases: BenchCase[] = []
const isNamed = (name: string) => words.some((word) => name.includes(word))
const options: BenchOptions = {
  rounds: Number(values.rounds),
  isNamed,
  isWanted: (name) => words.length === 0 || isNamed(name),
  report: (measured) => {
    cases.push(measured)
    print(caseLine(measured))
  },
}

const run = readRun(process.argv.slice(2))
const startedAt = performance.now()
if (only.includes('orders')) await measureOrders(options, values.orders.split(',').map(Number))
if (only.includes('journeys'))
  await measureJourneys(options, Math.max(...values.orders.split(',').map(Number)))
if (only.includes('earn'))
  await measureEarnLists(options, {
    transfers: Number(values.transfers),
    requests: Number(values.requests),
  })
if (only.includes('quotes')) await measureQuotes(options)
if (only.includes('news')) await measureNews(options, Number(values.news))
if (only.includes('memory')) await measureMemory(options, Number(values.minutes))

const seconds = Math.round((performance.now() - startedAt) / 1_000)
const tables = figureTables(cases)
const folder = join(import.meta.dirname, '../.causeway/bench')
const file = join(folder, `${run.startedAt.replaceAll(':', '-')}.json`)
await mkdir(folder, { recursive: true })
await writeFile(file, `${JSON.stringify({ ...run, seconds, cases }, null, 2)}\n`)
if (values.write)
  await writePerformance(
    { ...run, seconds },
    { place: 'figures', program: 'npm run bench --', tables },
  )
print(`\n${tables}\n\n${seconds} s; ${file}`)
if (!cases.every(caseHolds)) process.exitCode = 1
