import SchemaBuilder from '@pothos/core'
import ComplexityPlugin from '@pothos/plugin-complexity'
import type { Address, Hex } from 'viem'
import type { AppContext } from '../domain/appContext.ts'
import type { CallArgument } from '../domain/call/preparedCall.ts'
import type { ActivityPage } from '../domain/earn/activity/listActivity.ts'
import type { UserPositionPage } from '../domain/earn/positions/listUserPositions.ts'
import type { VaultApyPage } from '../domain/earn/series/listVaultApys.ts'
import type { VaultTvlPage } from '../domain/earn/series/listVaultTvls.ts'
import type { WithdrawAssetMap } from '../domain/earn/vaults/listWithdrawAssets.ts'
import type { WithdrawalRequestPage } from '../domain/earn/withdrawals/listWithdrawalRequests.ts'
import type { WithdrawalId } from '../domain/earn/withdrawals/withdrawalRequest.ts'
import type { Journey } from '../domain/journey/journey.ts'
import type { JourneyPage } from '../domain/journey/listJourneys.ts'
import type { PermitData } from '../domain/token/detectAuthorization.ts'
import type { TokenMetadataMap } from '../domain/token/tokenMetadata.ts'
import type { TransitOrderPage } from '../domain/transit/orders/listTransitOrders.ts'
import type { TransitOrder } from '../domain/transit/orders/transitOrder.ts'
import { defaultCost } from './fieldCost.ts'

/** Results that were read before the operation runs, by root field. These fields do not read again. */
export type GivenRoot = {
  transitOrder?: TransitOrder
  transitOrders?: TransitOrderPage
  journey?: Journey
  journeys?: JourneyPage
  withdrawalRequests?: WithdrawalRequestPage
  userPositions?: UserPositionPage
  activity?: ActivityPage
  vaultApys?: VaultApyPage
  vaultTvls?: VaultTvlPage
}

/** The GraphQL schema's builder. It defines no types of its own: those register themselves on it. */
export const builder = new SchemaBuilder<{
  Context: AppContext
  Root: GivenRoot
  DefaultFieldNullability: false
  Scalars: {
    ActionDetails: { Input: never; Output: Record<string, unknown> }
    Address: { Input: Address; Output: Address }
    Amount: { Input: bigint; Output: bigint }
    CallArguments: { Input: never; Output: CallArgument[] }
    BlockNumber: { Input: bigint; Output: bigint }
    DateTime: { Input: Date; Output: Date }
    EventBody: { Input: never; Output: Record<string, unknown> }
    Hash: { Input: Hex; Output: Hex }
    /** An argument that funds go to: a wrong checksum is refused. */
    PayableAddress: { Input: Address; Output: Address }
    PermitData: { Input: never; Output: PermitData }
    ReasonMetadata: { Input: never; Output: Record<string, string> }
    TokenMetadataMap: { Input: never; Output: TokenMetadataMap }
    UnixTime: { Input: number; Output: number }
    WithdrawAssetMap: { Input: never; Output: WithdrawAssetMap }
    WithdrawalRequestId: { Input: WithdrawalId; Output: WithdrawalId }
  }
}>({
  defaultFieldNullability: false,
  plugins: [ComplexityPlugin],
  // Without limits here: operationCost judges whole operations, before anything runs.
  complexity: { fieldComplexity: (_args, _context, field) => defaultCost(field) },
})

builder.queryType({
  description: 'Reads. The REST API answers from the same fields.',
})
builder.mutationType({
  description:
    "Changes of the service's own records. No field sends a transaction. The header `Idempotency-Key` makes an operation safe to repeat.",
})
builder.subscriptionType({
  description: 'Live reads, served as server-sent events at `/graphql/stream`.',
})
