import { zeroAddress } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DEVNET_USERS } from '../../devnet/accounts.ts'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import { startStationWorld } from '../devnet/stationWorld.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { askBothDoors, type Field } from '../support/bothDoors.ts'

/** Whatever REST answers about routes, authorization and quotes, GraphQL answers too. */

const USER = DEVNET_USERS[0]?.address ?? zeroAddress
const { USDC, USDG, USDT, USDP } = DEPLOYMENT.tokens
const PERMIT = `0x${'11'.repeat(64)}1b`

const ROUTES: Field = {
  path: '/v1/transit/routes',
  field: 'transitRoutes',
  selection: `{ routes { sourceChainId destinationChainId destinationChainEID offerAsset wantAsset
    minOrderSize maxOrderSize conversionRateHundredthsBps estimatedLatencyMs tokenMetadataMap }
    nextPageToken }`,
  types: { filter: 'String', pageSize: 'Int!', pageToken: 'String' },
}
const AUTHORIZATION: Field = {
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
const QUOTE: Field = {
  path: '/v1/transit/orders/quote',
  field: 'transitOrderQuote',
  hasFormats: true,
  selection: `{ orderId expiresAt amountOut protocolFee fillCostFee conversionRateFee
    conversionRateHundredthsBps integratorFee totalFees estimatedLatencyMs
    transaction { to value data abi functionName args } }`,
  types: {
    userAddress: 'PayableAddress!',
    offerAmount: 'Amount!',
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

const offer = {
  userAddress: USER,
  offerAmount: '2000000000',
  offerAsset: USDC,
  sourceChainId: 1,
  wantAsset: USDG,
  destinationChainId: 4663,
  simulate: false,
}
const allowance = { chainId: 1, tokenAddress: USDC, amount: '1000000', userAddress: USER }

const CASES: [name: string, field: Field, variables: Record<string, unknown>, status: number][] = [
  ['all routes', ROUTES, { pageSize: 100 }, 200],
  ['a page of routes', ROUTES, { pageSize: 2, filter: 'sourceChain = 1' }, 200],
  ['a filter that is none', ROUTES, { pageSize: 25, filter: 'colour = red' }, 400],
  ['a page size of 0', ROUTES, { pageSize: 0 }, 400],
  ['a page token that is none', ROUTES, { pageSize: 2, pageToken: 'abc' }, 400],
  ['a token with permits', AUTHORIZATION, allowance, 200],
  ['a token without', AUTHORIZATION, { ...allowance, tokenAddress: USDP }, 200],
  ['a token with reset', AUTHORIZATION, { ...allowance, tokenAddress: USDT }, 200],
  ['the station named', AUTHORIZATION, { ...allowance, spenderAddress: DEPLOYMENT.station }, 200],
  ['another spender', AUTHORIZATION, { ...allowance, spenderAddress: USER }, 400],
  ['a chain without a station', AUTHORIZATION, { ...allowance, chainId: 8453 }, 400],
  ['no amount', AUTHORIZATION, { ...allowance, amount: '0' }, 400],
  ['no user', AUTHORIZATION, { ...allowance, userAddress: zeroAddress }, 400],
  ['what is no token', AUTHORIZATION, { ...allowance, tokenAddress: USER }, 400],
  ['a quote across chains', QUOTE, offer, 200],
  ['a quote on one chain', QUOTE, { ...offer, destinationChainId: 1 }, 200],
  ['a quote that is simulated', QUOTE, { ...offer, simulate: true }, 200],
  ['a permit', QUOTE, { ...offer, permitSignature: PERMIT, permitDeadline: 5 }, 200],
  [
    'an integrator and a code',
    QUOTE,
    {
      ...offer,
      integratorFee: '5',
      integratorFeeReceiver: USER,
      distributorCode: `0x${'ab'.repeat(32)}`,
    },
    200,
  ],
  ['half a permit', QUOTE, { ...offer, permitDeadline: 5 }, 400],
  ['a permit that is none', QUOTE, { ...offer, permitDeadline: 5, permitSignature: '0x12' }, 400],
  ['half an integrator', QUOTE, { ...offer, integratorFee: '5' }, 400],
  ['too little', QUOTE, { ...offer, offerAmount: '5' }, 400],
  ['nothing', QUOTE, { ...offer, offerAmount: '0' }, 400],
  [
    'too high a fee',
    QUOTE,
    { ...offer, integratorFee: '1000000000', integratorFeeReceiver: USER },
    400,
  ],
  ['no route', QUOTE, { ...offer, wantAsset: USDP }, 404],
  [
    'what the chain would refuse',
    QUOTE,
    { ...offer, simulate: true, permitSignature: PERMIT, permitDeadline: 5 },
    400,
  ],
]

let world: Awaited<ReturnType<typeof startStationWorld>>
let api: TestApi
beforeAll(async () => {
  world = await startStationWorld()
  api = await startTestApi({ world })
})
afterAll(async () => {
  await api?.stop()
  await world?.stop()
})

test.each(CASES)('behavior: %s', async (_, field, variables, status) => {
  const { rest, graphql } = await askBothDoors(api.url, field, variables)
  expect(rest.status).toBe(status)
  expect(graphql).toEqual(rest)
})
