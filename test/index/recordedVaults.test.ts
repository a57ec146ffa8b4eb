import type { Sql } from 'postgres'
import { type Hex, keccak256, toHex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connect } from '../../db/sql.ts'
import { contractLogs } from '../fixtures/contractLogs.ts'
import { TABLES } from '../support/foldedRows.ts'
import { startTestIndexer, untilIndexed } from '../support/indexer.ts'
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts'
import { readVaultTables } from '../support/readVaultTables.ts'
import { startReplayNode } from '../support/replayNode.ts'
import { foldVaultTables } from '../support/vaultFold.ts'
import { readVaultEvents, vaultContracts } from '../support/vaultLogs.ts'

/** Far enough above the recording that Ponder takes all of it for finalized. */
const HEAD = 300

const contracts: Record<string, Hex> = contractLogs.contracts[1] ?? {}
const addressOf = (name: string): Hex => {
  const address = contracts[name]
  if (!address) throw new Error(`no ${name} was recorded`)
  return address
}
const QUEUES = {
  A: addressOf('WithdrawQueue (generation A or B)'),
  C: addressOf('WithdrawQueue'),
}
const vault = addressOf('BoringVault')

/** The API's states, by the queue's number at the end. */
const STATES: Record<number, string> = {
  2: 'COMPLETE',
  3: 'COMPLETE',
  5: 'REFUNDED',
  6: 'REFUNDED',
  7: 'REFUNDED',
}

describe('the recorded vault, indexed', () => {
  let database: TestDatabase
  let sql: Sql
  const started = new AsyncDisposableStack()

  beforeAll(async () => {
    database = await createTestDatabase()
    sql = connect(database.url, { applicationName: 'test', max: 2 })
    const node = await startReplayNode({
      chainId: 1,
      logs: contractLogs.logs.filter(({ chainId }) => chainId === 1),
      timestamps: contractLogs.blockTimestamps[1] ?? {},
      head: HEAD,
    })
    started.defer(node.stop)
    const indexer = await startTestIndexer({
      databaseUrl: database.url,
      chainIds: [1],
      rpcUrls: { 1: node.url },
      addressBook: {
        environment: 'DEVELOPMENT',
        tokens: [],
        transitRoutes: [],
        chains: [
          {
            id: 1,
            name: 'One',
            finalityDepth: 65,
            blockTimeSeconds: 1,
            multicall3: '0xcA11bde05977b3631167028862bE2a173976CA11',
          },
        ],
        vaults: [vaultFile()],
      },
    })
    started.defer(indexer.stop)
    await untilIndexed(sql, { 1: HEAD }).catch((error) => {
      throw new Error(`${error}\n${indexer.output()}`)
    })
  })

  afterAll(async () => {
    await started.disposeAsync()
    await sql?.end()
    await database?.drop()
  })

  test('every table holds what the logs come to', async () => {
    const contracts = vaultContracts({ vaults: [vaultFile()] })
    const logs = contractLogs.logs.filter(({ chainId }) => chainId === 1)
    const times = contractLogs.blockTimestamps[1] ?? {}
    const events = readVaultEvents(
      1,
      logs.map((log) => ({
        ...log,
        blockHash: keccak256(toHex(`block 1 ${log.blockNumber}`)),
        blockTimestamp: times[log.blockNumber] ?? 0,
      })),
      contracts,
    )
    const { heads, tables } = await readVaultTables(sql)
    expect(heads).toEqual({ 1: HEAD })
    const expected = foldVaultTables(contracts, events, heads)
    for (const table of TABLES) expect(tables[table], table).toEqual(expected[table])
    // The recording has no fee modules.
    const empty = TABLES.filter((table) => expected[table]?.size === 0)
    expect(empty).toEqual(['fee_data', 'fee_module_change'])
  })

  test.each(contractLogs.withdrawOrders)(
    '$contract $orderIndex ends as $name',
    async (recorded) => {
      const queue = recorded.contract === 'WithdrawQueue' ? QUEUES.C : QUEUES.A
      const [row] = await sql`
      select * from read.withdrawal_request
      where queue = ${queue.toLowerCase()} and order_index = ${recorded.orderIndex}`
      const number = recorded.getOrderStatus
      const state = row?.is_refunded ? 'REFUNDED' : row?.is_paid ? 'COMPLETE' : 'PENDING'
      expect({ ...row, state }).toMatchObject({
        state: STATES[number],
        is_submitted: true,
        is_paid: number < 4,
        is_force_processed: number === 3,
        did_fail_transfer: number === 6 || (number === 7 && row?.did_fail_transfer),
        did_fail_refund: number === 7,
      })
    },
  )
})

function vaultFile() {
  return { name: 'Recorded', yieldType: 'CORE' as const, deployments: [deployment()] }
}

function deployment() {
  const past = { fromBlock: 0, toBlock: 'unknown' as const }
  return {
    chainId: 1,
    vault: { address: vault, startBlock: 0 },
    baseToken: vault,
    baseTokenStandIn: { symbol: 'BASE', decimals: 18 },
    tellers: [
      {
        address: addressOf('TellerWithMultiAssetSupport'),
        generation: 'B' as const,
        fromBlock: 0,
      },
    ],
    accountants: [
      { address: addressOf('AccountantWithRateProviders'), generation: 'B' as const, fromBlock: 0 },
    ],
    depositors: [
      {
        address: addressOf('DistributorCodeDepositor (generation A)'),
        generation: 'A' as const,
        ...past,
      },
      { address: addressOf('DistributorCodeDepositor'), generation: 'D' as const, fromBlock: 1 },
    ],
    queues: [
      { address: QUEUES.A, generation: 'A' as const, ...past },
      { address: QUEUES.C, generation: 'C' as const, fromBlock: 1 },
    ],
    assets: [],
  }
}
