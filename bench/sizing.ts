import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { writePerformance } from './performancePage.ts'
import { readRun } from './runFacts.ts'
import { measureChainSizes } from './sizes/chainSizes.ts'
import { measureOrderSizes, type SizeOptions } from './sizes/orderSizes.ts'
import { type SizeGroup, sizeTables } from './sizes/sizeTable.ts'
import { measureVaultSizes } from './sizes/vaultSizes.ts'

/**
 * Measures memory, CPU time, calls to nodes and the size of the database of each process, idle and under load, at several sizes:
 * `node bench/sizing.ts [--write]`, in some 8 minutes on 2 quiet cores; Linux only. Prints tables, writes JSON to
 * .causeway/bench, and with `--write` the sizes of docs/performance.md.
 */
const GROUPS = ['orders', 'chains', 'vaults']
const { values } = parseArgs({
  options: {
    /** The groups to measure. */
    only: { type: 'string', default: GROUPS.join() },
    orders: { type: 'string', default: '10000,100000,1000000' },
    chains: { type: 'string', default: '2,6,12' },
    apis: { type: 'string', default: '1,2,4' },
    /** Vaults, and users of each. */
    vaults: { type: 'string', default: '20x1000,100x1000,200x5000' },
    /** How long each state is measured. */
    seconds: { type: 'string', default: '6' },
    /** Requests a second of the load on orders. */
    rate: { type: 'string', default: '200' },
    write: { type: 'boolean', default: false },
  },
})
const only = values.only.split(',')
const unknown = only.filter((group) => !GROUPS.includes(group))
if (unknown.length > 0) throw new Error(`There is no group ${unknown}; there are ${GROUPS}`)
const numbers = (text: string) => text.split(',').map(Number)
const print = (line: string) => process.stdout.write(`${line}\n`)
const options: SizeOptions = {
  seconds: Number(values.seconds),
  rate: Number(values.rate),
  print,
}

const run = readRun(process.argv.slice(2))
const startedAt = performance.now()
const groups: SizeGroup[] = []
if (only.includes('orders'))
  groups.push(
    ...(await measureOrderSizes(
      {
        orders: numbers(values.orders),
        chains: numbers(values.chains),
        apis: numbers(values.apis),
      },
      options,
    )),
  )
if (only.includes('chains')) groups.push(await measureChainSizes(numbers(values.chains), options))
if (only.includes('vaults'))
  groups.push(
    await measureVaultSizes(
      values.vaults.split(',').map((size) => {
        const [vaults = 0, users = 0] = size.split('x').map(Number)
        return { vaults, users }
      }),
      options,
    ),
  )

const seconds = Math.round((performance.now() - startedAt) / 1_000)
const tables = sizeTables(groups)
const folder = join(import.meta.dirname, '../.causeway/bench')
const file = join(folder, `sizes-${run.startedAt.replaceAll(':', '-')}.json`)
await mkdir(folder, { recursive: true })
await writeFile(file, `${JSON.stringify({ ...run, seconds, groups }, null, 2)}\n`)
if (values.write)
  await writePerformance(
    { ...run, seconds },
    { place: 'sizes', program: 'node bench/sizing.ts', tables },
  )
print(`\n${tables}\n\n${seconds} s; ${file}`)
