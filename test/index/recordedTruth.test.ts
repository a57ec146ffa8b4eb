import type { Sql } from 'postgres'
import {
  decodeEventLog,
  decodeFunctionData,
  type Hex,
  keccak256,
  recoverTypedDataAddress,
  toHex,
} from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { transitStationAbi } from '../../abis/transitStation.ts'
import { connect } from '../../db/sql.ts'
import { type AddressBookFile, parseAddressBook } from '../../domain/addressBook/addressBook.ts'
import { priceOrder } from '../../domain/transit/priceOrder.ts'
import { prepareOrder } from '../../domain/transit/quotes/prepareOrder.ts'
import {
  quoteOrderId,
  quoteTypedData,
  type TransitQuote,
} from '../../domain/transit/terms/quoteTypedData.ts'
import { contractLogs, type RecordedOrder } from '../fixtures/contractLogs.ts'
import { TABLES } from '../support/foldedRows.ts'
import { startTestIndexer, untilIndexed } from '../support/indexer.ts'
import { createOrderReader } from '../support/orderReader.ts'
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts'
import { readOrderRowsById } from '../support/readOrderRows.ts'
import { readVaultTables } from '../support/readVaultTables.ts'
import { startReplayNode } from '../support/replayNode.ts'
import { foldVaultTables } from '../support/vaultFold.ts'
import { readVaultEvents, vaultContracts } from '../support/vaultLogs.ts'

const CHAIN_IDS = [1, 4663]
/** Far enough above the recording that Ponder takes all of it for finalized. */
const HEAD = 300

const QUEUES = {
  A: addressOf('WithdrawQueue (generation A or B)'),
  C: addressOf('WithdrawQueue'),
}

const BOOK_FILE: AddressBookFile = {
  environment: 'DEVELOPMENT',
  tokens: [],
  transitRoutes: [],
  chains: CHAIN_IDS.map((id) => ({
    id,
    name: `chain ${id}`,
    eid: contractLogs.eids[id],
    finalityDepth: 65,
    blockTimeSeconds: 1,
    multicall3: '0xcA11bde05977b3631167028862bE2a173976CA11',
    transitStation: { address: station(id), startBlock: 0 },
  })),
  vaults: [{ name: 'Recorded', yieldType: 'CORE', deployments: [deployment()] }],
}
const BOOK = parseAddressBook(BOOK_FILE, 'recorded')

/** The API's states of a withdrawal request, by the queue's number at the end. */
const STATES: Record<number, string> = {
  2: 'COMPLETE',
  3: 'COMPLETE',
  5: 'REFUNDED',
  6: 'REFUNDED',
  7: 'REFUNDED',
}

const stationLogs = contractLogs.logs.filter(({ contract }) => contract === 'TransitStation')

describe('the recorded logs', () => {
  test('every station event decodes to what was recorded', () => {
    const decoded = stationLogs.filter(({ event }) => event !== null)
    expect(decoded.length).toBeGreaterThan(40)
    for (const log of decoded) {
      const { eventName, args } = decodeEventLog({
        abi: transitStationAbi,
        topics: log.topics as [Hex, ...Hex[]],
        data: log.data,
      })
      expect(eventName).toBe(log.event)
      expect(plain(args)).toEqual(log.args)
    }
  })
})

describe('the recorded quotes', () => {
  test.each(contractLogs.transitOrders)('$orderId has its digest and signer', async (order) => {
    const source = {
      chainId: order.sourceChainId,
      station: station(order.sourceChainId),
    }
    expect(quoteOrderId(toQuote(order), source)).toBe(order.orderId)
    const signer = await recoverTypedDataAddress({
      ...quoteTypedData(toQuote(order), source),
      signature: order.signature,
    })
    expect(signer).toBe(order.signer)
  })

  test.each(contractLogs.transitOrders)('$orderId is submitted by our calldata', (order) => {
    const [, , ...parts] = decodeFunctionData({ abi: transitStationAbi, data: order.calldata })
      .args as [unknown, unknown, bigint, number, Hex, Hex]
    const [deadline, v, r, s] = parts
    const { to, value, data, functionName } = prepareOrder({
      source: { chainId: order.sourceChainId, station: station(order.sourceChainId) },
      quote: toQuote(order),
      signature: order.signature,
      value: BigInt(order.value),
      permit: deadline === undefined ? null : { deadline, v, r, s },
    })
    expect({ to, value: String(value), data, functionName }).toEqual({
      to: station(order.sourceChainId),
      value: order.value,
      data: order.calldata,
      functionName: order.functionName,
    })
  })

  const received = contractLogs.transitOrders.filter(({ amountDue }) => amountDue !== null)
  test.each(received)('$orderId owes what we would have quoted', ({ quote, amountDue }) => {
    const { route, offerAmount, protocolFee, integratorFee } = quote
    const price = priceOrder(
      BigInt(offerAmount),
      {
        conversionRateHundredthsBps: 0,
        fillCostFee: BigInt(protocolFee),
        offerDecimals: decimalsOf(route.offerAsset),
        wantDecimals: decimalsOf(route.wantAsset),
      },
      BigInt(integratorFee),
    )
    expect(String(price.amountOut)).toBe(amountDue)
  })
})

/** The recording has one token of 18 decimals. */
function decimalsOf(token: Hex): number {
  return /^0x1{8}/.test(token) ? 18 : 6
}

describe('the recorded orders and the recorded vault, indexed', () => {
  let database: TestDatabase
  let sql: Sql
  const started = new AsyncDisposableStack()

  beforeAll(async () => {
    database = await createTestDatabase()
    sql = connect(database.url, { applicationName: 'test', max: 2 })
    const rpcUrls: Record<number, string> = {}
    for (const chainId of CHAIN_IDS) {
      const node = await startReplayNode({
        chainId,
        logs: contractLogs.logs.filter((log) => log.chainId === chainId),
        timestamps: contractLogs.blockTimestamps[chainId] ?? {},
        head: HEAD,
      })
      started.defer(node.stop)
      rpcUrls[chainId] = node.url
    }
    const indexer = await startTestIndexer({
      databaseUrl: database.url,
      chainIds: CHAIN_IDS,
      rpcUrls,
      addressBook: BOOK_FILE,
    })
    started.defer(indexer.stop)
    await untilIndexed(sql, { 1: HEAD, 4663: HEAD }).catch((error) => {
      throw new Error(`${error}\n${indexer.output()}`)
    })
  })

  afterAll(async () => {
    await started.disposeAsync()
    await sql?.end()
    await database?.drop()
  })

  test('every station event became its fact', async () => {
    const counts = {
      OrderSubmitted: 'count(user_address) from read.transit_source',
      OrderBridged: 'count(message_guid) from read.transit_source',
      OrderReceived: 'count(amount_due) from read.transit_destination',
      OrderExecuted: 'sum(json_array_length(executions)) from read.transit_destination',
      OrderForceRemoved: 'sum(json_array_length(removals)) from read.transit_destination',
      UUIDForceSetUsed: 'count(*) from read.transit_destination where amount_due is null',
      RouteApprovalSet: 'count(*) from read.transit_route_approval',
    }
    for (const [event, count] of Object.entries(counts)) {
      const [row] = await sql.unsafe<{ found: string }[]>(`select (select ${count})::text as found`)
      expect([event, Number(row?.found)]).toEqual([
        event,
        stationLogs.filter((log) => log.event === event).length,
      ])
    }
  })

  test.each(contractLogs.transitOrders)('$orderId ends as $status', async (recorded) => {
    const [row] = await readOrderRowsById(sql, BOOK, [recorded.orderId])
    expect(row?.status).toBe(recorded.status)
    expect(row?.amount_due).toBe(recorded.amountDue)
    expect(row?.remaining_amount_due).toBe(recorded.remaining)
    if (recorded.amountDue === null) return

    const { order } = await createOrderReader(sql, BOOK)(recorded.orderId)
    expect(order).toMatchObject({
      id: recorded.orderId,
      sourceChainId: recorded.sourceChainId,
      destinationChainId: recorded.destinationChainId,
      offerAsset: recorded.quote.route.offerAsset.toLowerCase(),
      wantAsset: recorded.quote.route.wantAsset.toLowerCase(),
      offerAmount: BigInt(recorded.quote.offerAmount),
      amountDue: BigInt(recorded.amountDue),
      remainingAmountDue: BigInt(recorded.remaining ?? 0),
      receiver: recorded.quote.receiver.toLowerCase(),
      distributorCode: recorded.quote.distributorCode,
      status: recorded.status,
      finalized: true,
    })
  })

  test('every table of the vault holds what the logs come to', async () => {
    const contracts = vaultContracts(BOOK_FILE)
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
    expect(heads).toEqual({ 1: HEAD, 4663: HEAD })
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

function station(chainId: number): Hex {
  const contracts = contractLogs.contracts[chainId]
  if (!contracts) throw new Error(`no station recorded on ${chainId}`)
  return contracts.TransitStation
}

function addressOf(name: string): Hex {
  const contracts: Record<string, Hex> = contractLogs.contracts[1] ?? {}
  const address = contracts[name]
  if (!address) throw new Error(`no ${name} was recorded`)
  return address
}

function deployment() {
  const past = { fromBlock: 0, toBlock: 'unknown' as const }
  return {
    chainId: 1,
    vault: { address: addressOf('BoringVault'), startBlock: 0 },
    baseToken: addressOf('BoringVault'),
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

function toQuote({ quote }: RecordedOrder): TransitQuote {
  return {
    ...quote,
    offerAmount: BigInt(quote.offerAmount),
    protocolFee: BigInt(quote.protocolFee),
    integratorFee: BigInt(quote.integratorFee),
    deadline: BigInt(quote.deadline),
  }
}

/** Spells values like the recording: big integers as decimal strings. */
function plain(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (_, entry) => (typeof entry === 'bigint' ? String(entry) : entry)),
  )
}
