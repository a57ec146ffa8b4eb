import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { findDataDirectory } from '../processes/dataDirectory.ts'
import { readRunFile } from '../processes/start/runFile.ts'
import { writePerformance } from './performancePage.ts'
import { readRun } from './runFacts.ts'
import { type ProcessCost, readCost } from './sizes/processCosts.ts'

/**
 * Measures the processor time that a running `npm start` uses while nobody asks it for anything, by its parts, each with the
 * processes that it started: `node bench/idleWorld.ts [--minutes 5] [--write]`, with the variables of that start; Linux only.
 * Ends with 1 if all parts together use more than the bound. After a start it waits for the chains to rest.
 */
const MOST_PERCENT = 15
/** A chain has a block each second until what happened on it is finalized. */
const REST_SECONDS = 90
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '5' },
    write: { type: 'boolean', default: false },
  },
})
const print = (line: string) => process.stdout.write(`${line}\n`)

const world = await readRunFile(findDataDirectory(process.env))
if (!world) throw new Error('There is no running npm start: start one first')
const run = readRun(process.argv.slice(2))
const parts = partsOf(world.pids)
await sleep(REST_SECONDS * 1_000)
const startedAt = performance.now()
const before = await readAll()
await sleep(Number(values.minutes) * 60_000)
const after = await readAll()
const seconds = (performance.now() - startedAt) / 1_000

const cpuOf = (costs: Map<string, ProcessCost>, name: string) => costs.get(name)?.cpuSeconds ?? 0
const rows = [...parts.keys()].map((name) => ({
  name,
  percent: ((cpuOf(after, name) - cpuOf(before, name)) / seconds) * 100,
  memoryMb: after.get(name)?.memoryMb ?? 0,
}))
const percent = rows.reduce((sum, row) => sum + row.percent, 0)
const memoryMb = rows.reduce((sum, row) => sum + row.memoryMb, 0)
const isWithin = percent <= MOST_PERCENT
const table = [
  '| part | CPU, % of a core | memory, MB |',
  '| --- | --- | --- |',
  ...rows.map((row) => `| ${row.name} | ${row.percent.toFixed(1)} | ${Math.round(row.memoryMb)} |`),
  `| together | ${percent.toFixed(1)}; at most ${MOST_PERCENT}: ${isWithin ? 'holds' : '**broken**'} | ${Math.round(memoryMb)} |`,
].join('\n')
print(table)
if (values.write)
  await writePerformance(
    { ...run, seconds: Math.round(seconds) },
    { place: 'idle', program: 'node bench/idleWorld.ts', tables: table },
  )
if (!isWithin) process.exitCode = 1

/** The processes of each part. All nodes are one. */
function partsOf(pids: Record<string, number>): Map<string, number[]> {
  const named = Map.groupBy(Object.entries(pids), ([name]) => name.replace(/-.*/, ''))
  return new Map([...named].map(([name, own]) => [name, own.map(([, pid]) => pid)]))
}

async function readAll(): Promise<Map<string, ProcessCost>> {
  const costs = new Map<string, ProcessCost>()
  for (const [name, pids] of parts) costs.set(name, await readCost(...pids))
  // `npm start` is the parent of all others.
  const others = [...costs].flatMap(([name, cost]) => (name === 'start' ? [] : [cost]))
  const start = costs.get('start')
  for (const { cpuSeconds, memoryMb } of others) {
    if (!start) break
    start.cpuSeconds -= cpuSeconds
    start.memoryMb -= memoryMb
  }
  return costs
}
