import type { Sql } from 'postgres'
import { decodeEventLog, type Hex, keccak256, toHex, zeroAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { vaultAbi } from '../../abis/vault.ts'
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

  test('deposits of both generations, and pauses of teller and accountant', async () => {
    const deposits = await sql`select fee_amount from read.vault_deposit order by block_number`
    expect(deposits).toHaveLength(6)
    // Generation A's event has no fee.
    expect(deposits.filter(({ fee_amount }) => fee_amount === null)).toHaveLength(1)
    const pauses = await sql`select is_paused from read.vault_pause`
    expect(pauses).toHaveLength(6)
    expect(pauses.filter(({ is_paused }) => is_paused)).toHaveLength(3)
  })

  test('balances, holders and supply are those of the transfers', async () => {
    const balances = new Map<string, bigint>()
    let supply = 0n
    for (const { topics, data } of transfers()) {
      const { args } = decodeEventLog({ abi: vaultAbi, topics: topics as [Hex], data })
      const { from, to, amount } = args as { from: Hex; to: Hex; amount: bigint }
      if (from === zeroAddress) supply += amount
      else balances.set(from.toLowerCase(), (balances.get(from.toLowerCase()) ?? 0n) - amount)
      if (to === zeroAddress) supply -= amount
      else balances.set(to.toLowerCase(), (balances.get(to.toLowerCase()) ?? 0n) + amount)
      // Every transfer to the zero address is a burn in this recording.
      if (to === zeroAddress) balances.set(zeroAddress, 0n)
    }
    const rows = await sql<{ account: string; balance: string }[]>`
      select account, balance from read.share_balance`
    expect(new Map(rows.map((row) => [row.account, BigInt(row.balance)]))).toEqual(balances)
    const [state] = await sql`select * from read.vault_state`
    const holders = [...balances.values()].filter((balance) => balance > 0n).length
    expect({ ...state }).toMatchObject({ vault: vault.toLowerCase(), supply: `${supply}`, holders })
  })

  test('the rate is that of the last update, or of the old rate of the first update', async () => {
    const rates = contractLogs.logs.filter(({ event }) => event === 'ExchangeRateUpdated')
    const [state] = await sql`select opening_rate, rate, rate_block from read.vault_state`
    expect({ ...state }).toEqual({
      opening_rate: rates[0]?.args?.oldRate,
      rate: rates.at(-1)?.args?.newRate,
      rate_block: BigInt(rates.at(-1)?.blockNumber ?? 0),
    })
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

  test('the amounts that the event of generation A lacks are those of the exit', async () => {
    const [row] = await sql`
      select fee_amount, assets_out, offer_amount from read.withdrawal_request
      where queue = ${QUEUES.A.toLowerCase()} and is_paid`
    const exits = contractLogs.logs.filter(({ event }) => event === 'Exit')
    const [exit] = exits.filter(({ args }) => args?.from === QUEUES.A)
    expect({ ...row }).toEqual({
      fee_amount: `${BigInt(String(row?.offer_amount)) - BigInt(String(exit?.args?.shares))}`,
      assets_out: exit?.args?.amount,
      offer_amount: row?.offer_amount,
    })
  })

  test('what was paid counts once, by queues and at once', async () => {
    const paid = contractLogs.withdrawOrders.filter(({ getOrderStatus }) => getOrderStatus < 4)
    const [queued] = await sql`
      select count(*)::integer as count from read.withdrawal where is_queued`
    expect(queued?.count).toBe(paid.length)
    const [all] = await sql`
      select count(*)::integer as count, sum(assets) as assets from read.withdrawal`
    for (const seconds of [3_600, 86_400]) {
      const [periods] = await sql`
        select sum(order_count)::integer as count, sum(assets) as assets
        from read.withdrawal_period where seconds = ${seconds}`
      expect({ ...periods }).toEqual({ ...all })
    }
    const exits = contractLogs.logs.filter(({ event }) => event === 'Exit')
    expect(all?.count).toBe(exits.length)
  })
})

function transfers() {
  return contractLogs.logs.filter(
    ({ contract, event, chainId }) =>
      chainId === 1 && contract === 'BoringVault' && event === 'Transfer',
  )
}

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
