import {
  decodeEventLog,
  encodeFunctionData,
  type Hex,
  type Log,
  pad,
  parseEventLogs,
  size,
  toEventSelector,
  zeroAddress,
} from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { worldClient, worldStations } from '../../devnet/world.ts'
import { contractLogs } from '../fixtures/contractLogs.ts'
import type { RecordedLog } from '../support/replayNode.ts'
import { stationAbi } from './localAbis.ts'
import { CROSS_ROUTE } from './orders.ts'
import { revertOf } from './revertOf.ts'
import { seedScenario } from './seedScenario.ts'
import {
  deployer,
  executor,
  NO_TERMS,
  send,
  startStationWorld,
  station,
  tokens,
} from './stationWorld.ts'

/** The local station emits it too; the recorded list has no name for it. */
const OWNERSHIP = toEventSelector('OwnershipTransferred(address,address)')
/** All events of the deployed station's settings, except of its owner and authority. */
const recorded = contractLogs.logs.filter(
  ({ contract, event }) => contract === 'TransitStation' && event,
)

let world: Awaited<ReturnType<typeof startStationWorld>>
beforeAll(async () => {
  world = await startStationWorld()
})
afterAll(() => world?.stop())

describe('the settings of the local station', () => {
  test('default: the deployment emits its events in the order of the real one', async () => {
    const atDeployment = recorded.filter(({ event }) => event === 'QuoteSignerSet')[0]
    const deployed = recorded.filter(
      ({ transactionHash }) => transactionHash === atDeployment?.transactionHash,
    )
    const [first] = await stationLogs(1)
    const local = await worldClient(world, 1).getTransactionReceipt({
      hash: first?.transactionHash ?? '0x',
    })
    expect(parseEventLogs({ abi: stationAbi, logs: local.logs }).map(nameOf)).toEqual(
      deployed.map(({ event }) => event),
    )
  })

  test('behavior: routes are approved and revoked one by one, each with its event', async () => {
    const routes = [CROSS_ROUTE, { ...CROSS_ROUTE, wantAsset: tokens.USDP }]
    const receipt = await setApprovals(routes, [false, true])
    const logs = parseEventLogs({
      abi: stationAbi,
      logs: receipt.logs,
      eventName: 'RouteApprovalSet',
    })
    expect(logs.map(({ args }) => args)).toEqual([
      { route: routes[0], approved: false },
      { route: routes[1], approved: true },
    ])
    expect(await Promise.all(routes.map(isApproved))).toEqual([false, true])
    await setApprovals(routes, [true, false])
    expect(await Promise.all(routes.map(isApproved))).toEqual([true, false])
  })

  test('behavior: the message fee needs a peer and a gas limit', async () => {
    expect(await quoteSend(8453)).toEqual(['NoPeer', 8453])
    await owner(
      encodeFunctionData({ abi: stationAbi, functionName: 'setPeer', args: [8453, pad(station)] }),
    )
    expect(await quoteSend(8453)).toEqual(['GasLimitNotSet', 8453])
  })

  test.each([
    'setQuoteSigner',
    'setProtocolFeeRecipient',
    'setOfferReceiver',
    'setWantAssetSource',
  ] as const)('error: %s to nobody', async (functionName) => {
    const data = encodeFunctionData({ abi: stationAbi, functionName, args: [zeroAddress] })
    const call = { address: station, account: deployer, data }
    expect(await revertOf(world, 1, call)).toEqual(['ZeroAddress'])
  })

  test('error: only the owner sets them', async () => {
    const call = approvalCall([CROSS_ROUTE], [false])
    await expect(send(world, 1, { ...call, account: executor })).rejects.toThrow('UNAUTHORIZED')
  })
})

describe('the events of the local station', () => {
  test('default: all that were recorded, each of the recorded shape', async () => {
    await seedScenario(world)
    for (const functionName of ['pause', 'unpause'] as const)
      await owner(encodeFunctionData({ abi: stationAbi, functionName }))
    const local = await Promise.all(worldStations(world).map(({ chainId }) => stationLogs(chainId)))
    const settings = local.flat().filter(({ topics }) => topics[0] !== OWNERSHIP)
    const shapes = new Set(settings.map(shapeOf))
    expect([...shapes].sort()).toEqual([...new Set(recorded.map(recordedShapeOf))].sort())
  })
})

type Route = typeof CROSS_ROUTE

function approvalCall(routes: Route[], approved: boolean[]) {
  const data = encodeFunctionData({
    abi: stationAbi,
    functionName: 'setRouteApprovals',
    args: [routes, approved],
  })
  return { address: station, account: deployer, data }
}

function setApprovals(routes: Route[], approved: boolean[]) {
  return send(world, 1, approvalCall(routes, approved))
}

function quoteSend(destination: number) {
  const data = encodeFunctionData({
    abi: stationAbi,
    functionName: 'quoteSend',
    args: [destination, NO_TERMS],
  })
  return revertOf(world, 1, { address: station, account: executor, data })
}

function owner(data: Hex) {
  return send(world, 1, { address: station, account: deployer, data })
}

function isApproved({ destEID, offerAsset, wantAsset }: Route): Promise<boolean> {
  return worldClient(world, 1).readContract({
    address: station,
    abi: stationAbi,
    functionName: 'approvedRoutes',
    args: [destEID, offerAsset, wantAsset],
  })
}

function stationLogs(chainId: number) {
  return worldClient(world, chainId).getLogs({ address: station, fromBlock: 0n })
}

function nameOf({ eventName }: { eventName: string }): string {
  return eventName
}

/** An event's name, its numbers of topics and bytes, and its arguments' names. */
function shapeOf({ topics, data }: Pick<Log, 'topics' | 'data'>): string {
  const { eventName, args } = decodeEventLog({ abi: stationAbi, topics, data })
  return `${eventName} ${topics.length} ${size(data)} ${namesIn(args)}`
}

function recordedShapeOf({ event, topics, data, args }: RecordedLog): string {
  return `${event} ${topics.length} ${size(data)} ${namesIn(args)}`
}

function namesIn(value: unknown): string {
  if (typeof value !== 'object' || value === null) return ''
  const names = Object.entries(value).map(([name, inner]) => `${name}${namesIn(inner)}`)
  return `(${names.sort().join(',')})`
}
