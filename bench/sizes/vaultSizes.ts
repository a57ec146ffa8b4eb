import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '../../db/sql.ts'
import { freePorts } from '../../test/support/freePorts.ts'
import { untilAnswered } from '../benchApi.ts'
import { gets, measureAtRate } from '../measure.ts'
import { accountAddress } from '../vaultFacts.ts'
import { withVaultIndex } from '../vaultIndex.ts'
import type { SizeOptions } from './orderSizes.ts'
import { readCalls, readCost } from './processCosts.ts'
import { between, type SizeGroup, type SizeRow } from './sizeTable.ts'

const HOURS = 30 * 24
/** Positions of a user, which reads all vaults: far fewer a second than orders. */
const LOAD_RATE = 10

export type VaultSize = { vaults: number; users: number }

/** An api over two chains with vaults; the users of each vault are the same. */
export async function measureVaultSizes(
  sizes: VaultSize[],
  { seconds, print }: SizeOptions,
): Promise<SizeGroup> {
  const rows: SizeRow[] = []
  for (const { vaults, users } of sizes) {
    const [metricsPort = 0] = await freePorts(1)
    const variables = { METRICS_PORT: String(metricsPort) }
    const index = { names: vaults / 2, hours: HOURS, accounts: users, variables }
    await withVaultIndex(index, async ({ api, databaseUrl }) => {
      const sql = connect(databaseUrl, { applicationName: 'bench', max: 1 })
      const paths = Array.from(
        { length: 100 },
        (_, i) => `/v2/earn/userPositions?userAddress=${accountAddress(1 + (i % users))}`,
      )
      await untilAnswered(`${api.url}${paths[0]}`)
      const asked = { name: 'positions', port: api.port, requests: gets(paths) }
      await measureAtRate(asked, LOAD_RATE, seconds)
      const before = { cost: await readCost(api.pid), calls: await readCalls(metricsPort) }
      await sleep(seconds * 1_000)
      const idle = { cost: await readCost(api.pid), calls: await readCalls(metricsPort) }
      await measureAtRate(asked, LOAD_RATE, seconds)
      const loaded = await readCost(api.pid)
      const [row] = await sql<{ mb: number }[]>`
        select (pg_database_size(current_database()) / 1e6)::float8 as mb`
      await sql.end()
      rows.push({
        size: `${vaults} vaults, ${users.toLocaleString('en-US')} users each`,
        process: 'api',
        idleMb: idle.cost.memoryMb,
        idleCpu: between(before.cost, idle.cost).percentIn(seconds),
        loadMb: loaded.memoryMb,
        unitMicros: between(idle.cost, loaded).microsPer(LOAD_RATE * seconds),
        calls: ((idle.calls - before.calls) * 60) / seconds,
        databaseMb: row?.mb ?? null,
      })
    })
    print(`${vaults} vaults, ${users} users each: ${rows.at(-1)?.idleMb.toFixed(0)} MB`)
  }
  const title = 'Vaults and users: an api, two chains, 30 days'
  return { title, unit: 'a page of positions', rows }
}
