import { transitDeliveryPeriod, transitSubmissionPeriod } from 'ponder:schema'
import type { Address } from 'viem'
import { DAY_SECONDS, HOUR_SECONDS, periodEnd } from './periodEnd.ts'
import type { Context } from './ponder.ts'

type Emitted = { event: { block: { timestamp: bigint } }; context: Context }
type Assets = { offerAsset: Address; wantAsset: Address }
type Nullable<Of> = { [Key in keyof Of]: Of[Key] | null }

type Submitted = Pick<
  typeof transitSubmissionPeriod.$inferSelect,
  'offerVolume' | 'protocolFees' | 'bridgedNormalized18'
>
const NOTHING_DELIVERED = {
  receivedCount: 0,
  receivedNormalized18: 0n,
  amountDue: 0n,
  executedCount: 0,
  deliveredVolume: 0n,
  removedCount: 0,
  removedAmount: 0n,
}
type Delivered = typeof NOTHING_DELIVERED

/** Adds a submitted order to the sums of its route. */
export async function addSubmitted(
  { event, context }: Emitted,
  route: Assets & { destinationEid: number },
  added: Submitted,
) {
  for (const period of periodsOf(event))
    await context.db
      .insert(transitSubmissionPeriod)
      .values({ chainId: context.chain.id, ...period, ...route, orderCount: 1, ...added })
      .onConflictDoUpdate((sum) => ({
        orderCount: sum.orderCount + 1,
        offerVolume: sum.offerVolume + added.offerVolume,
        protocolFees: sum.protocolFees + added.protocolFees,
        bridgedNormalized18: sum.bridgedNormalized18 + added.bridgedNormalized18,
      }))
}

/** Adds what the destination did with an order to the sums of its route. */
export async function addDelivered(
  { event, context }: Emitted,
  { sourceEid, offerAsset, wantAsset }: Nullable<Assets> & { sourceEid: number | null },
  delivered: Partial<Delivered>,
) {
  if (!offerAsset || !wantAsset)
    throw new Error('Invariant(addDelivered): the order has arrived before this log')
  const route = { sourceEid: sourceEid ?? 0, offerAsset, wantAsset }
  const added = { ...NOTHING_DELIVERED, ...delivered }
  for (const period of periodsOf(event))
    await context.db
      .insert(transitDeliveryPeriod)
      .values({ chainId: context.chain.id, ...period, ...route, ...added })
      .onConflictDoUpdate((sum) => ({
        receivedCount: sum.receivedCount + added.receivedCount,
        receivedNormalized18: sum.receivedNormalized18 + added.receivedNormalized18,
        amountDue: sum.amountDue + added.amountDue,
        executedCount: sum.executedCount + added.executedCount,
        deliveredVolume: sum.deliveredVolume + added.deliveredVolume,
        removedCount: sum.removedCount + added.removedCount,
        removedAmount: sum.removedAmount + added.removedAmount,
      }))
}

function periodsOf({ block }: Emitted['event']) {
  return [
    { seconds: 0, until: 0n },
    ...[HOUR_SECONDS, DAY_SECONDS].map((seconds) => ({
      seconds,
      until: periodEnd(block.timestamp, seconds),
    })),
  ]
}
