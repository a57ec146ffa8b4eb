import { isDeepStrictEqual } from 'node:util'
import type { Hex } from 'viem'
import { ask } from '../test/support/ask.ts'
import type { BenchApi } from './benchApi.ts'
import { httpTarget, pathOf, type Target } from './orderTargets.ts'
import type { OrderWorld } from './orderWorld.ts'
import { type PeerOrder, PONDER_ORDER, POSTGRAPHILE_ORDER } from './peers/orderQueries.ts'
import { startServer } from './startServer.ts'

/** The orders whose answers are compared before anything is measured. */
const COMPARED = 200
const PEERS = [
  { name: 'PostGraphile 5', file: 'peers/postgraphilePeer.ts', query: POSTGRAPHILE_ORDER },
  { name: "Ponder's GraphQL", file: 'peers/ponderPeer.ts', query: PONDER_ORDER },
]

/** Starts the peers over the same rows. Throws if one of them answers an order with other values than ours. */
export async function startPeers(
  stack: AsyncDisposableStack,
  { databaseUrl, asked }: OrderWorld,
  api: BenchApi,
): Promise<Target[]> {
  const targets: Target[] = []
  for (const { name, file, query } of PEERS) {
    const port = await startServer(stack, file, { DATABASE_URL: databaseUrl })
    const bodyOf = (id: Hex) => JSON.stringify({ query, variables: { id } })
    for (const order of asked.slice(0, COMPARED)) {
      const response = await fetch(`http://127.0.0.1:${port}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: bodyOf(order.id),
      })
      const theirs = (await response.json()) as { data?: PeerOrder; errors?: unknown }
      if (!theirs.data || theirs.errors) throw new Error(`${name}: ${JSON.stringify(theirs)}`)
      const ours = await (await ask(`${api.url}${pathOf(order)}`)).json()
      const [got, expected] = [valuesOfPeer(theirs.data), valuesOfOurs((ours as Answer).order)]
      if (!isDeepStrictEqual(got, expected))
        throw new Error(`${name}: ${JSON.stringify(got)} is not ${JSON.stringify(expected)}`)
    }
    const requests = asked.map(({ id }) => ({ path: '/graphql', body: bodyOf(id) }))
    targets.push(httpTarget({ name: `one order, ${name}`, port, requests, apiKeys: [] }))
  }
  return targets
}

type Answer = {
  order: Record<string, unknown> & {
    orderExecuteds: Record<string, unknown>[]
    timeline: { step: string }[]
  }
}

/** The values of an order that our answer and those of the peers both have, as sorted text. */
function valuesOfOurs(order: Answer['order']): string[][] {
  const { orderExecuteds, timeline } = order
  const hasDelivery = timeline.some(({ step }) => step === 'RECEIVED')
  return [
    textsOf(
      [order.createdAt, order.sourceTxHash, order.offerAsset, order.wantAsset, order.offerAmount],
      [order.user, order.receiver, order.distributorCode, order.protocolFee, order.integratorFee],
      [order.deadline],
    ),
    hasDelivery ? textsOf([order.amountDue, order.remainingAmountDue]) : [],
    orderExecuteds
      .flatMap(({ txHash, timestamp, amount, remaining }) =>
        textsOf([txHash, timestamp, amount, remaining]).join(),
      )
      .sort(),
  ]
}

function valuesOfPeer({ source, destinations }: PeerOrder): string[][] {
  const createdAt = new Date(Number(source.blockTimestamp) * 1_000).toISOString()
  const { offerAsset, wantAsset, offerAmount, userAddress, receiver } = source
  const arrived = destinations.items.filter(({ amountDue }) => amountDue !== null)
  return [
    textsOf(
      [createdAt, source.transactionHash, offerAsset, wantAsset, offerAmount],
      [userAddress, receiver, source.distributorCode, source.protocolFee],
      [source.integratorFee, source.deadline],
    ),
    arrived.flatMap(({ amountDue, remaining }) => textsOf([amountDue, remaining])),
    arrived
      .flatMap(({ executions }) =>
        typeof executions === 'string'
          ? (JSON.parse(executions) as Exclude<typeof executions, string>)
          : executions,
      )
      .map(({ transactionHash, timestamp, amount, remaining }) =>
        textsOf([transactionHash, timestamp, amount, remaining]).join(),
      )
      .sort(),
  ]
}

function textsOf(...values: unknown[][]): string[] {
  return values.flat().map((value) => String(value).toLowerCase())
}
