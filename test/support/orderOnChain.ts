import { type Address, getAddress, type Hex, parseAbi } from 'viem'
import { transitStationAbi } from '../../abis/transitStation.ts'
import { PLANNED_TOKENS } from '../../devnet/plan.ts'
import { type World, worldClient, worldStations } from '../../devnet/world.ts'

/** An order as the two stations and their nodes show it, in the API's form. */
export type OrderOnChain = {
  order: Record<string, unknown> & {
    amountDue: string
    remainingAmountDue: string
    timeline: { finalized: boolean }[]
  }
  /** The transaction and block of each of its logs. */
  events: { event: string; chainId: number; block: bigint; transactionHash: Hex }[]
}

type Placement = { orderId: Hex; from: number; to: number }
type Log = Awaited<ReturnType<typeof stationLogs>>[number]

const tokenAbi = parseAbi([
  'function name() view returns (string)',
  'function symbol() view returns (string)',
  'function decimals() view returns (uint8)',
])

/** Reads everything from the nodes, without a cache: logs, blocks, transactions, tokens. */
export async function orderOnChain(world: World, placement: Placement): Promise<OrderOnChain> {
  const { orderId, from, to } = placement
  const source = await stationLogs(world, from, orderId)
  const destination = from === to ? source : await stationLogs(world, to, orderId)
  const logs = from === to ? source : [...source, ...destination]
  const submitted = first(source, 'OrderSubmitted')
  if (!submitted) throw new Error(`${orderId} was not submitted on chain ${from}`)
  const { user, quote } = submitted.args
  const { offerAsset, wantAsset } = quote.route
  const submission = await worldClient(world, from).getTransaction({
    hash: submitted.transactionHash,
  })
  const offerToken = await tokenOnChain(world, from, offerAsset)
  const wantToken = await tokenOnChain(world, to, wantAsset)

  const received = first(destination, 'OrderReceived')
  const executions = all(destination, 'OrderExecuted')
  const removals = all(destination, 'OrderForceRemoved')
  const tombstones = received ? [] : all(destination, 'UUIDForceSetUsed')
  const sent = first(source, 'OrderBridged')
  const bridged = sent?.args.terms.offerAmountNormalized18AfterFees ?? 0n
  const amountDue =
    received?.args.order.amountDue ?? bridged / 10n ** BigInt(18 - Number(wantToken.decimals))
  const remaining =
    removals.at(-1)?.args.order.amountDue ?? executions.at(-1)?.args.remaining ?? amountDue
  // A tombstone does not change an order that has arrived.
  const counted = logs.filter(({ eventName }) => !received || eventName !== 'UUIDForceSetUsed')
  const newest = counted.reduce((latest, { timestamp }) => Math.max(latest, timestamp), 0)
  const order = {
    id: orderId,
    blockedBy: null,
    status: statusOf({ received, executions, removals, tombstones }),
    sourceChainId: from,
    destinationChainId: to,
    offerAsset: getAddress(offerAsset),
    wantAsset: getAddress(wantAsset),
    offerAmount: String(quote.offerAmount),
    amountDue: String(amountDue),
    remainingAmountDue: String(remaining),
    user: getAddress(user),
    transactionSender: getAddress(submission.from),
    receiver: getAddress(quote.receiver),
    distributorCode: quote.distributorCode,
    sourceTxHash: submitted.transactionHash,
    protocolFee: String(quote.protocolFee),
    integratorFee: String(quote.integratorFee),
    integratorFeeReceiver: getAddress(quote.integratorFeeReceiver),
    deadline: Number(quote.deadline),
    messageGuid: sent?.args.guid ?? null,
    receiveTime: received?.timestamp ?? 0,
    createdAt: new Date(submitted.timestamp * 1_000).toISOString(),
    updatedAt: new Date(newest * 1_000).toISOString(),
    finalized: await areFinal(world, counted),
    tokenMetadata: {
      [`${to}:${wantToken.address}`]: wantToken,
      [wantToken.address]: wantToken,
      [`${from}:${offerToken.address}`]: offerToken,
      [offerToken.address]: offerToken,
    },
    orderExecuteds: executions.map((log) => ({
      ...recordOf(log),
      amount: String(log.args.amount),
      remaining: String(log.args.remaining),
    })),
    orderForceRemoveds: removals.map(recordOf),
    timeline: await Promise.all(
      [
        { step: 'SUBMITTED', log: submitted, amount: quote.offerAmount },
        { step: 'BRIDGED', log: sent },
        { step: 'RECEIVED', log: received, amount: amountDue, remaining: amountDue },
        ...executions.flatMap((log) => [
          { step: 'EXECUTED', log, amount: log.args.amount, remaining: log.args.remaining },
          ...(log.args.remaining === 0n ? [{ step: 'PROCESSED', log, remaining: 0n }] : []),
        ]),
        ...removals.map((log) => ({ step: 'REMOVED', log, remaining: log.args.order.amountDue })),
        { step: 'TOMBSTONED', log: tombstones[0] },
      ].flatMap((step) => (step.log ? [stepOf(world, { ...step, log: step.log })] : [])),
    ),
  }
  const events = logs.map(({ eventName, chainId, blockNumber, transactionHash }) => ({
    event: eventName,
    chainId,
    block: blockNumber,
    transactionHash,
  }))
  return { order, events }
}

async function stationLogs(world: World, chainId: number, orderId: Hex) {
  const client = worldClient(world, chainId)
  const station = worldStations(world).find((entry) => entry.chainId === chainId)?.station
  if (!station) throw new Error(`no station on chain ${chainId}`)
  const logs = await client.getContractEvents({
    address: station,
    abi: transitStationAbi,
    fromBlock: 0n,
    strict: true,
  })
  const own = logs.filter(({ args }) => 'uuid' in args && args.uuid === orderId)
  return Promise.all(
    own.map(async (log) => {
      const { timestamp } = await client.getBlock({ blockNumber: log.blockNumber })
      return { ...log, chainId, timestamp: Number(timestamp) }
    }),
  )
}

function all<Name extends Log['eventName']>(logs: Log[], name: Name) {
  return logs.filter((log): log is Extract<Log, { eventName: Name }> => log.eventName === name)
}

function first<Name extends Log['eventName']>(logs: Log[], name: Name) {
  return all(logs, name)[0]
}

type Endings = { received: unknown; removals: Log[]; tombstones: Log[] } & {
  executions: { args: { remaining: bigint } }[]
}

function statusOf({ received, executions, removals, tombstones }: Endings): string {
  if (removals.length > 0 || tombstones.length > 0) return 'REMOVED'
  if (executions.some(({ args }) => args.remaining === 0n)) return 'PROCESSED'
  return received ? 'PROCESSING' : 'PENDING_BRIDGE'
}

function recordOf({ chainId, transactionHash, logIndex, timestamp }: Log) {
  return {
    id: `${chainId}-${transactionHash}-${logIndex}`,
    timestamp,
    txHash: transactionHash,
    chainId,
  }
}

type StepOnChain = { step: string; log: Log; amount?: bigint; remaining?: bigint }

async function stepOf(world: World, { step, log, amount, remaining }: StepOnChain) {
  return {
    step,
    chainId: log.chainId,
    txHash: log.transactionHash,
    blockNumber: Number(log.blockNumber),
    timestamp: log.timestamp,
    ...(amount === undefined ? {} : { amount: String(amount) }),
    ...(remaining === undefined ? {} : { remaining: String(remaining) }),
    finalized: await areFinal(world, [log]),
  }
}

async function areFinal(world: World, logs: Log[]): Promise<boolean> {
  const below = logs.map(async ({ chainId, blockNumber }) => {
    const depth = world.addressBook.chains.find(({ id }) => id === chainId)?.finalityDepth ?? 0
    return (await worldClient(world, chainId).getBlockNumber()) - blockNumber >= BigInt(depth)
  })
  return (await Promise.all(below)).every(Boolean)
}

async function tokenOnChain(world: World, chainId: number, address: Address) {
  const client = worldClient(world, chainId)
  const read = (functionName: 'name' | 'symbol' | 'decimals') =>
    client.readContract({ address, abi: tokenAbi, functionName })
  const [name, symbol, decimals] = await Promise.all([
    read('name'),
    read('symbol'),
    read('decimals'),
  ])
  const planned = PLANNED_TOKENS.find((token) => token.symbol === symbol)
  return {
    chain_id: String(chainId),
    address: getAddress(address),
    name: String(name),
    symbol: String(symbol),
    decimals: String(decimals),
    token_standard: 'ERC20',
    // The one field that no contract has.
    ...(planned && 'coinGeckoId' in planned ? { coin_gecko_id: planned.coinGeckoId } : {}),
  }
}
