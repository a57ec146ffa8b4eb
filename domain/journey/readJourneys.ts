import type { Address } from 'viem'
import type { TransitOrder } from '../transit/orders/transitOrder.ts'
import { type Journey, type JourneyEnd, toJourney } from './journey.ts'
import type { JourneyReading } from './journeyReads.ts'

/**
 * The journey of an order, as the organization sees it. Null for an order that does not pay to one of its smart deposit
 * addresses.
 */
export async function readJourney(
  reading: JourneyReading,
  organizationId: string,
  order: TransitOrder,
): Promise<Journey | null> {
  const { destinationChainId: chainId, receiver: address } = order
  const end = await reading.journeyEnds.read({ organizationId, chainId, address })
  const [journey] = end
    ? await readJourneysTo(reading, { organizationId, ends: [end] }, [order])
    : []
  return journey ?? null
}

type Ends = { organizationId: string; ends: JourneyEnd[] }

/**
 * The journeys among these orders that pay to one of these addresses of the organization. A payment belongs to the order whose
 * execution made it.
 */
export async function readJourneysTo(
  { readOrderPayments, smartDepositReads }: JourneyReading,
  { organizationId, ends }: Ends,
  orders: TransitOrder[],
): Promise<Journey[]> {
  const byPlace = new Map(ends.map((end) => [placeOf(end.chainId, end.smartDepositAddress), end]))
  const depositsOf = async ({ id, receiver: address, executions }: TransitOrder) => {
    const transactions = new Map(executions.map((one) => [one.transactionHash, one.chainId]))
    const payments = await Promise.all(
      [...transactions].map(([transactionHash, chainId]) =>
        readOrderPayments({ chainId, address, transactionHash }),
      ),
    )
    const deposits = await Promise.all(
      payments
        .flat()
        .filter(({ orderId }) => orderId === id)
        .map(({ depositId }) => smartDepositReads.read(`${organizationId}/${depositId}`)),
    )
    return deposits.flatMap((deposit) => deposit ?? [])
  }
  const journeys = await Promise.all(
    orders.map(async (order) => {
      const end = byPlace.get(placeOf(order.destinationChainId, order.receiver))
      const isJourney = end && end.depositAsset === order.wantAsset
      return isJourney ? toJourney(order, end, await depositsOf(order)) : null
    }),
  )
  return journeys.flatMap((journey) => journey ?? [])
}

const placeOf = (chainId: number, address: Address) => `${chainId} ${address}`
