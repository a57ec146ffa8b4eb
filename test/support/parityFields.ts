import type { Field } from './bothDoors.ts'

const TRANSACTION = '{ to value data abi functionName args }'
const PREVIEWED = `{ transaction ${TRANSACTION} preview { expectedShares minimumShares expectedAssets
  minimumAssets fee { amount asset } exchangeRateToBase validUntil gasLimit } }`
const LIST = { filter: 'String', pageSize: 'Int!', pageToken: 'String' }
export const VAULTS: Field = {
  path: '/v2/earn/vaults',
  field: 'vaults',
  selection: `{ vaults { name deployments {
    chainId boringVaultAddress depositorAddress withdrawQueueAddress requiresKyt baseTokenAddress
    accountantAddress tellerAddress depositFeeAddress withdrawFeeAddress inDeprecation stale asOf
    depositSupplyCap { raw formatted decimals hasCap }
    minimumWithdrawalOrderSize { raw formatted decimals }
    assets { assetAddress depositable withdrawable
      depositFees { bps percentage } withdrawFees { bps percentage }
      withdrawalSLAs { expectedDelay expiryBuffer internalWithdrawalQueueDelaySLA
        externalWithdrawalQueueDelaySLA internalAccountantRateUpdateDelaySLA
        externalAccountantRateUpdateSLA } } } } nextPageToken tokenMetadata }`,
  types: LIST,
}
export const ASSETS: Field = {
  path: '/v2/earn/vaultAssets',
  field: 'vaultAssets',
  selection: `{ vaultAssets { vaultAddress chainId assetAddress depositable withdrawable stale asOf }
    nextPageToken tokenMetadata }`,
  types: LIST,
}
export const AUTHORIZATION: Field = {
  path: '/v2/core/authorization',
  field: 'depositAuthorization',
  selection:
    '{ spenderAddress method permitData approvalTransaction { encoded requiresFollowUp } }',
  types: {
    vaultAddress: 'PayableAddress!',
    tokenAddress: 'PayableAddress!',
    amount: 'Amount!',
    userAddress: 'PayableAddress!',
    chainId: 'Int!',
    wantAsset: 'PayableAddress',
    prefer: 'AuthorizationPreference',
  },
}
export const DEPOSIT: Field = {
  path: '/v2/earn/deposit',
  field: 'deposit',
  selection: PREVIEWED,
  hasFormats: true,
  types: {
    vaultAddress: 'PayableAddress!',
    depositAsset: 'PayableAddress!',
    depositAmount: 'Amount!',
    userAddress: 'PayableAddress!',
    chainId: 'Int!',
    to: 'PayableAddress',
    permitSignature: 'String',
    permitDeadline: 'UnixTime',
    simulate: 'Boolean!',
  },
}
export const WITHDRAW: Field = {
  path: '/v2/earn/withdraw',
  field: 'withdraw',
  selection: PREVIEWED.replace(/}$/, 'remainder { shares isWithdrawable } }'),
  hasFormats: true,
  types: {
    vaultAddress: 'PayableAddress!',
    wantAsset: 'PayableAddress!',
    shareAmount: 'Amount!',
    userAddress: 'PayableAddress!',
    chainId: 'Int!',
    intendedDepositor: 'PayableAddress',
    receiver: 'PayableAddress',
    refundReceiver: 'PayableAddress',
    permitSignature: 'String',
    permitDeadline: 'UnixTime',
    refuseSmallRemainder: 'Boolean!',
    simulate: 'Boolean!',
  },
}
export const CANCEL: Field = {
  path: '/v2/earn/withdraw/cancel',
  field: 'cancelWithdrawal',
  selection: TRANSACTION,
  member: 'transaction',
  hasFormats: true,
  types: {
    vaultAddress: 'PayableAddress!',
    orderIndex: 'Amount',
    requestId: 'WithdrawalRequestId',
    chainId: 'Int!',
    simulate: 'Boolean!',
  },
}
export const FEE: Field = {
  path: '/v2/earn/calculateWithdrawalFee',
  field: 'withdrawalFee',
  selection: '{ feeAmount offerFeePercentage { bps percentage } flatFee }',
  types: {
    offerAmount: 'Amount!',
    wantAsset: 'Address!',
    vaultAddress: 'Address!',
    chainId: 'Int!',
  },
}

export const ROUTES: Field = {
  path: '/v1/transit/routes',
  field: 'transitRoutes',
  selection: `{ routes { sourceChainId destinationChainId destinationChainEID offerAsset wantAsset
    minOrderSize maxOrderSize conversionRateHundredthsBps estimatedLatencyMs tokenMetadataMap
    latency { p50Ms p90Ms p99Ms sampleSize windowSeconds heldP90 } stale asOf }
    nextPageToken tokenMetadata }`,
  types: LIST,
}
export const STATS: Field = {
  path: '/v1/transit/stats',
  field: 'transitStats',
  selection: `{ transitStats { sourceChainId destinationChainId offerAsset wantAsset startTime endTime
    orderCount offerVolume deliveredVolume protocolFees removedCount pendingCount pendingAmount
    latency { p50Ms p90Ms p99Ms sampleSize windowSeconds heldP90 } } nextPageToken tokenMetadata }`,
  types: { ...LIST, startTime: 'UnixTime!', endTime: 'UnixTime!', interval: 'Int' },
}
export const TRANSIT_AUTHORIZATION: Field = {
  path: '/v3/core/authorization',
  field: 'transitAuthorization',
  selection: `{ spenderAddress alreadyApproved
    methods { type description permitData transaction { encoded } requiresFollowUp } }`,
  types: {
    chainId: 'Int!',
    tokenAddress: 'PayableAddress!',
    amount: 'Amount!',
    userAddress: 'PayableAddress!',
    spenderAddress: 'PayableAddress',
  },
}
export const QUOTE: Field = {
  path: '/v1/transit/orders/quote',
  field: 'transitOrderQuote',
  hasFormats: true,
  selection: `{ orderId expiresAt destinationPaused offerAmount wantAmount amountOut protocolFee
    fillCostFee conversionRateFee conversionRateHundredthsBps integratorFee totalFees messageFee estimatedLatencyMs
    latency { p50Ms p90Ms p99Ms sampleSize windowSeconds heldP90 }
    transaction { to value data abi functionName args } }`,
  types: {
    userAddress: 'PayableAddress!',
    offerAmount: 'Amount',
    wantAmount: 'Amount',
    offerAsset: 'PayableAddress!',
    sourceChainId: 'Int!',
    wantAsset: 'PayableAddress!',
    destinationChainId: 'Int!',
    permitSignature: 'String',
    permitDeadline: 'UnixTime',
    integratorFee: 'Amount',
    integratorFeeReceiver: 'PayableAddress',
    distributorCode: 'Hash',
    simulate: 'Boolean!',
  },
}

export const ACTIVITY: Field = {
  path: '/v2/earn/activity',
  field: 'activity',
  selection: `{ activity { id type chainId vaultAddress userAddress counterparty assetAddress assetAmount
    shareAmount exchangeRateToBase valueInBase txHash logIndex blockNumber timestamp orderIndex depositId
  } nextPageToken tokenMetadata }`,
  types: { ...LIST, startTime: 'UnixTime', endTime: 'UnixTime' },
}

export const REQUESTS: Field = {
  path: '/v2/earn/withdrawalRequests',
  field: 'withdrawalRequests',
  selection: `{ withdrawalRequests {
    id orderIndex status userAddress receiverAddress refundReceiverAddress vaultAddress chainId
    wantAsset wantAssetAddress offerAmount orderAmount assetsOut feeAmount createdAt fulfilledAt
    updatedAt txHash isSubmittedViaSignature isForceProcessed isMarkedForRefund
    isMarkedForRefundByUser didOrderFailTransfer didOrderFailRefund queuePosition sharesAhead
    expectedAssets expectedBy blockedBy { reason requestId } settlementTxHash
  } nextPageToken tokenMetadata }`,
  types: LIST,
}
export const VOLUMES: Field = {
  path: '/v2/earn/withdrawalVolumes',
  field: 'withdrawalVolumes',
  selection: `{ withdrawalVolumes {
    vaultAddress chainId assetAddress startTime endTime orderCount shareAmount assetAmount
  } nextPageToken tokenMetadata }`,
  types: {
    vaultAddress: 'Address!',
    startTime: 'UnixTime!',
    endTime: 'UnixTime!',
    chainId: 'Int',
    interval: 'Int',
    pageSize: 'Int!',
    pageToken: 'String',
  },
}

const SERIES = {
  ...LIST,
  startTime: 'UnixTime',
  endTime: 'UnixTime',
  lookback: 'Int!',
  interval: 'Int!',
  orderByTimestamp: 'TimeOrder!',
}
export const APYS: Field = {
  path: '/v2/earn/vaultApys',
  field: 'vaultApys',
  selection: `{ vaultApys { vaultAddress chainId timestamp interval apy windowSeconds
    windows { day week month sinceLaunch } grossApy stale asOf }
    nextPageToken }`,
  types: { ...SERIES, apyWindow: 'Int!', includeCurrent: 'Boolean!' },
}
export const TVLS: Field = {
  path: '/v2/earn/vaultTvls',
  field: 'vaultTvls',
  selection: `{ vaultTvls { vaultAddress chainId timestamp interval tvl tvlAsset stale asOf }
    nextPageToken }`,
  types: { ...SERIES, includeCurrent: 'Boolean!' },
}
export const POSITIONS: Field = {
  path: '/v2/earn/userPositions',
  field: 'userPositions',
  selection: `{ userPositions { vaultAddress chainId shareBalance positionValueInBase
    baseAssetAddress exchangeRateToBase costBasis realisedEarnings unrealisedEarnings
    hasTransferredShares valueUsd { amount feed updatedAt }
    assetMetadata { name symbol decimals tokenStandard coinGeckoId } stale asOf
  } nextPageToken tokenMetadata }`,
  types: { ...LIST, userAddress: 'Address!' },
}
