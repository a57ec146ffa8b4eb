/** The rows of the REST answers of Earn, as docs/earn/ describes them. */

export type SupplyCapRow = {
  vaultAddress: string
  chainId: number
  totalSupplyInBase: string
  supplyCap: string | null
  percentageFilled: string | null
}

export type UserPositionRow = {
  vaultAddress: string
  chainId: number
  /** Base units of the share. */
  shareBalance: string
  positionValueInBase: string
  baseAssetAddress: string
  exchangeRateToBase: string
  costBasis: string
  realisedEarnings: string
  unrealisedEarnings: string
  hasTransferredShares: boolean
  valueUsd: { amount: string; feed: string; updatedAt: string } | null
  assetMetadata: {
    name: string
    symbol: string
    decimals: number
    tokenStandard: string
    coinGeckoId: string | null
  }
}

export type VaultApyRow = {
  vaultAddress: string
  chainId: number
  timestamp: string
  interval: string
  /** Null if it is too large to mean anything. */
  apy: string | null
  windowSeconds: number
  /** Only the current row has it; elsewhere it is null, like `grossApy`. */
  windows: Record<'day' | 'week' | 'month' | 'sinceLaunch', string | null> | null
  grossApy: string | null
}

/** The fields of a row that only GraphQL has. */
export type VaultApyBeyond = {
  startRate: string
  endRate: string
  startBlock: number | null
  endBlock: number | null
  startTime: string
  isCurrent: boolean
}

export type VaultTvlRow = {
  vaultAddress: string
  chainId: number
  timestamp: string
  interval: string
  tvl: string
  tvlAsset: string
}

export type VaultTvlBeyond = {
  supply: string
  rate: string
  holders: number | null
  supplyBlock: number | null
  rateBlock: number | null
  isCurrent: boolean
}

export type VaultCompositionRow = {
  vaultAddress: string
  chainId: number
  timestamp: string
  components: {
    assetAddress: string
    amount: string
    value: string
    valueAsset: string
    weight: string
    positionKind: 'ASSET'
    instrumentType: 'ERC20'
    positionRef: { type: 'TOKEN'; id: string }
  }[]
}

export type WithdrawalStatus = 'PENDING' | 'COMPLETE' | 'PENDING_REFUND' | 'REFUNDED'

export type WithdrawalRequestRow = {
  id: string
  orderIndex: string
  status: WithdrawalStatus
  userAddress: string
  receiverAddress: string
  refundReceiverAddress: string
  vaultAddress: string
  chainId: number
  wantAsset: string
  wantAssetAddress: string
  /** Shares, base units. */
  offerAmount: string
  orderAmount: string
  assetsOut: string | null
  feeAmount: string | null
  expectedAssets: string | null
  expectedBy: string | null
  blockedBy: { reason: string; requestId?: string; account?: string } | null
  settlementTxHash: string | null
  createdAt: string
  updatedAt: string
  fulfilledAt: string | null
  txHash: string
  isSubmittedViaSignature: boolean
  isForceProcessed: boolean
  isMarkedForRefund: boolean
  isMarkedForRefundByUser: boolean
  didOrderFailTransfer: boolean
  didOrderFailRefund: boolean
  queuePosition: number | null
  sharesAhead: string | null
}

export type ActivityRow = {
  id: string
  type:
    | 'DEPOSIT'
    | 'WITHDRAWAL_REQUESTED'
    | 'WITHDRAWAL_COMPLETED'
    | 'WITHDRAWAL_ATOMIC'
    | 'WITHDRAWAL_REFUND_REQUESTED'
    | 'WITHDRAWAL_REFUNDED'
    | 'TRANSFER_IN'
    | 'TRANSFER_OUT'
    | 'SMART_DEPOSIT'
  chainId: number
  vaultAddress: string
  userAddress: string
  counterparty?: string
  assetAddress?: string
  assetAmount?: string
  /** Shares, base units. */
  shareAmount: string
  exchangeRateToBase: string
  valueInBase: string
  txHash: string
  logIndex: number
  blockNumber: number
  timestamp: string
  orderIndex?: string
}

/** The fields of a withdrawal request that show what it can expect while it waits. */
export type Expectation = Pick<WithdrawalRequestRow, 'expectedAssets' | 'expectedBy' | 'blockedBy'>

export type WithdrawalVolumeRow = {
  vaultAddress: string
  chainId: number
  assetAddress: string
  startTime: number
  endTime: number
  orderCount: number
  shareAmount: string
  assetAmount: string
}

export type LiquidityShortfallRow = {
  vaultAddress: string
  chainId: number
  assetAddress: string
  pendingOrderCount: number
  pendingShares: string
  pendingAssets: string
  vaultBalance: string
  shortfall: string
  blockedBy: null
}

/** Unix seconds in the form of answers. */
export function isoTime(seconds: number): string {
  return new Date(seconds * 1_000).toISOString()
}
