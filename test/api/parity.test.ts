import { zeroAddress } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DEVNET_REFUSED_USER, DEVNET_SOLVER, DEVNET_USERS } from '../../devnet/accounts.ts'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import { vaultDeployment } from '../../devnet/vaults/deployment.ts'
import { seedVaults } from '../../devnet/vaults/seedVaults.ts'
import { ask } from '../support/ask.ts'
import { askBothDoors, type Field } from '../support/bothDoors.ts'
import { asOwner, earnClient } from '../support/earn.ts'
import { type EarnWorld, startEarnWorld } from '../support/earnWorld.ts'
import { getJson } from '../support/getJson.ts'
import { lower } from '../support/lower.ts'
import {
  ACTIVITY,
  APYS,
  ASSETS,
  AUTHORIZATION,
  CANCEL,
  DEPOSIT,
  FEE,
  POSITIONS,
  QUOTE,
  REQUESTS,
  ROUTES,
  STATS,
  TRANSIT_AUTHORIZATION,
  TVLS,
  VAULTS,
  VOLUMES,
  WITHDRAW,
} from '../support/parityFields.ts'
import { insertFacts } from '../support/testIndex.ts'
import { insertLife } from '../support/vaultLives.ts'
import { insertWithdrawOrders, outcomeOf, START, withdrawOrder } from '../support/withdrawOrders.ts'

/** REST runs stored GraphQL documents, so each endpoint answers like its root field. */

const USER = DEVNET_USERS[0]?.address ?? zeroAddress
const OTHER = DEVNET_USERS[3]?.address ?? zeroAddress
const { USDC, USDG, USDT, USDP } = DEPLOYMENT.tokens
const dollar = vaultDeployment('Harbor Dollar', 1)
const prime = vaultDeployment('Harbor Prime', 1)
const classic = vaultDeployment('Harbor Classic', 1)
const sunset = vaultDeployment('Harbor Sunset', 11_155_111)
const PERMIT = `0x${'11'.repeat(64)}1b`

const place = { vaultAddress: dollar.vault, chainId: 1 }
const allowance = { ...place, tokenAddress: USDC, amount: '1000000', userAddress: USER }
const deposit = {
  ...place,
  depositAsset: USDC,
  depositAmount: '2000000000',
  userAddress: USER,
  simulate: false,
}
const ofPrime = { ...deposit, vaultAddress: prime.vault }
const withdrawal = {
  ...place,
  wantAsset: USDC,
  shareAmount: '10000000',
  userAddress: USER,
  refuseSmallRemainder: false,
  simulate: false,
}
const cancelById = { vaultAddress: sunset.vault, chainId: 11_155_111, simulate: false }
const cancel = { ...cancelById, orderIndex: '1' }
const fee = { ...place, offerAmount: '10000000', wantAsset: USDC }

const unpriced = {
  userAddress: USER,
  offerAsset: USDC,
  sourceChainId: 1,
  wantAsset: USDG,
  destinationChainId: 4663,
  simulate: false,
}
const offer = { ...unpriced, offerAmount: '2000000000' }
const transitAllowance = { chainId: 1, tokenAddress: USDC, amount: '1000000', userAddress: USER }
const volumes = { vaultAddress: dollar.vault, startTime: START, endTime: START + 10, pageSize: 25 }
const hourly = { pageSize: 10, filter: 'chainId = 1', interval: 3_600, lookback: 86_400 }
const wrongList = { pageSize: 0, pageToken: 'abc', filter: 'colour = red' }
const wrongVolumes = { interval: 1, endTime: 5, pageSize: 0, pageToken: 'abc' }
const wrongSeries = { ...wrongList, interval: 1, lookback: 0, startTime: 5, endTime: 4 }

const CASES: [name: string, field: Field, variables: Record<string, unknown>, status: number][] = [
  ['all routes', ROUTES, { pageSize: 100 }, 200],
  ['a page of routes', ROUTES, { pageSize: 2, filter: 'sourceChain = 1' }, 200],
  ['a filter that is none', ROUTES, { pageSize: 25, filter: 'colour = red' }, 400],
  ['a page size of 0', ROUTES, { pageSize: 0 }, 400],
  ['a page token that is none', ROUTES, { pageSize: 2, pageToken: 'abc' }, 400],
  ['a token with permits', TRANSIT_AUTHORIZATION, transitAllowance, 200],
  ['a token without', TRANSIT_AUTHORIZATION, { ...transitAllowance, tokenAddress: USDP }, 200],
  ['a token with reset', TRANSIT_AUTHORIZATION, { ...transitAllowance, tokenAddress: USDT }, 200],
  [
    'the station named',
    TRANSIT_AUTHORIZATION,
    { ...transitAllowance, spenderAddress: DEPLOYMENT.station },
    200,
  ],
  ['another spender', TRANSIT_AUTHORIZATION, { ...transitAllowance, spenderAddress: USER }, 400],
  [
    'a chain without a station',
    TRANSIT_AUTHORIZATION,
    { ...transitAllowance, chainId: 11_155_111 },
    400,
  ],
  ['no amount', TRANSIT_AUTHORIZATION, { ...transitAllowance, amount: '0' }, 400],
  ['no user', TRANSIT_AUTHORIZATION, { ...transitAllowance, userAddress: zeroAddress }, 400],
  ['not a token', TRANSIT_AUTHORIZATION, { ...transitAllowance, tokenAddress: USER }, 400],
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
  ['what is wanted', QUOTE, { ...unpriced, wantAmount: '2000000000' }, 200],
  ['an offer and what is wanted', QUOTE, { ...offer, wantAmount: '2000000000' }, 400],
  ['neither of them', QUOTE, unpriced, 400],
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
  ['all vaults', VAULTS, { pageSize: 100 }, 200],
  ['a page of vaults', VAULTS, { pageSize: 1, filter: 'inDeprecation = false' }, 200],
  ['vaults with attestations', VAULTS, { pageSize: 25, filter: 'requiresKyt = true' }, 200],
  ['a filter that is none', VAULTS, { pageSize: 25, filter: 'colour = red' }, 400],
  ['a page size of 0', VAULTS, { pageSize: 0 }, 400],
  ['a page token that is none', VAULTS, { pageSize: 2, pageToken: 'abc' }, 400],
  ['all assets', ASSETS, { pageSize: 100 }, 200],
  ['a page of assets', ASSETS, { pageSize: 2, filter: 'depositable = true' }, 200],
  ['a filter with another type', ASSETS, { pageSize: 2, filter: 'chainId = one' }, 400],
  ['a token with permits', AUTHORIZATION, allowance, 200],
  ['a token with reset', AUTHORIZATION, { ...allowance, tokenAddress: USDT }, 200],
  ['shares', AUTHORIZATION, { ...allowance, tokenAddress: dollar.vault, wantAsset: USDC }, 200],
  [
    'shares for an asset of no vault',
    AUTHORIZATION,
    { ...allowance, tokenAddress: dollar.vault, wantAsset: USDP },
    400,
  ],
  ['no amount', AUTHORIZATION, { ...allowance, amount: '0', userAddress: zeroAddress }, 400],
  ['not a token', AUTHORIZATION, { ...allowance, tokenAddress: USER }, 400],
  ['an unknown vault', AUTHORIZATION, { ...allowance, vaultAddress: USDC }, 404],
  ['a deposit', DEPOSIT, deposit, 200],
  ['a deposit that is simulated', DEPOSIT, { ...deposit, simulate: true, to: OTHER }, 200],
  [
    'a deposit with permit',
    DEPOSIT,
    { ...deposit, permitSignature: PERMIT, permitDeadline: 5 },
    200,
  ],
  ['a deposit that is attested', DEPOSIT, { ...ofPrime, simulate: true }, 200],
  ['a deposit of generation A', DEPOSIT, { ...deposit, vaultAddress: classic.vault }, 200],
  ['half a permit', DEPOSIT, { ...deposit, permitDeadline: 5 }, 400],
  ['nothing, to nobody', DEPOSIT, { ...deposit, depositAmount: '0', to: zeroAddress }, 400],
  ['an asset of no vault', DEPOSIT, { ...deposit, depositAsset: USDP }, 400],
  ['no more than the fee', DEPOSIT, { ...ofPrime, depositAmount: '500251' }, 400],
  ['above the cap', DEPOSIT, { ...ofPrime, depositAmount: '9000000000000' }, 400],
  ['a user who may not', DEPOSIT, { ...ofPrime, userAddress: DEVNET_REFUSED_USER.address }, 400],
  [
    'a deployment in deprecation',
    DEPOSIT,
    { ...deposit, vaultAddress: sunset.vault, chainId: 11_155_111, depositAsset: USDG },
    400,
  ],
  [
    'a permit that the chain refuses',
    DEPOSIT,
    { ...deposit, simulate: true, permitSignature: PERMIT, permitDeadline: 5 },
    400,
  ],
  ['a deposit into no vault', DEPOSIT, { ...deposit, chainId: 999 }, 404],
  ['an order', WITHDRAW, withdrawal, 200],
  [
    'an order for others',
    WITHDRAW,
    {
      ...withdrawal,
      simulate: true,
      intendedDepositor: USER,
      receiver: OTHER,
      refundReceiver: OTHER,
    },
    200,
  ],
  [
    'a withdrawal at once',
    WITHDRAW,
    { ...withdrawal, userAddress: DEVNET_SOLVER.address, wantAsset: USDG },
    200,
  ],
  ['half a permit of shares', WITHDRAW, { ...withdrawal, permitDeadline: 5 }, 400],
  [
    'a permit of shares',
    WITHDRAW,
    { ...withdrawal, permitSignature: PERMIT, permitDeadline: 5 },
    200,
  ],
  ['less than the queue takes', WITHDRAW, { ...withdrawal, shareAmount: '1' }, 400],
  ['an asset that is not given', WITHDRAW, { ...withdrawal, wantAsset: USDP }, 400],
  [
    'all that is wrong',
    WITHDRAW,
    {
      ...withdrawal,
      shareAmount: '0',
      intendedDepositor: OTHER,
      receiver: zeroAddress,
      refundReceiver: zeroAddress,
    },
    400,
  ],
  ['another sender', WITHDRAW, { ...withdrawal, intendedDepositor: OTHER }, 400],
  ['a withdrawal from no vault', WITHDRAW, { ...withdrawal, vaultAddress: USER }, 404],
  ['an order to take back', CANCEL, { ...cancel, simulate: true }, 200],
  [
    'an order in no queue of the vault',
    CANCEL,
    { ...cancelById, requestId: `11155111:${USER}:1` },
    404,
  ],
  ['an order by index and id', CANCEL, { ...cancel, requestId: `11155111:${USER}:1` }, 400],
  ['one that is marked', CANCEL, { ...cancel, orderIndex: '2' }, 400],
  ['one that is paid', CANCEL, { ...cancel, ...place, vaultAddress: prime.vault }, 400],
  ['one that is none', CANCEL, { ...cancel, orderIndex: '99' }, 404],
  ['one of no vault', CANCEL, { ...cancel, chainId: 1 }, 404],
  ['a fee', FEE, fee, 200],
  ['a fee with a flat part', FEE, { ...fee, vaultAddress: prime.vault, offerAmount: '1' }, 200],
  ['a fee of nothing', FEE, { ...fee, offerAmount: '0' }, 400],
  ['a fee of no asset', FEE, { ...fee, wantAsset: USDP }, 400],
  ['a fee of no vault', FEE, { ...fee, vaultAddress: USER }, 404],
  ['activity', ACTIVITY, { pageSize: 100, filter: `userAddress = ${USER}` }, 200],
  ['activity of everybody', ACTIVITY, { pageSize: 25 }, 400],
  ['all wrong arguments of activity', ACTIVITY, { ...wrongList, startTime: 5, endTime: 4 }, 400],
  ['withdrawal requests', REQUESTS, { pageSize: 100 }, 200],
  ['a page of withdrawal requests', REQUESTS, { pageSize: 1, filter: 'status = "COMPLETE"' }, 200],
  ['an unknown status', REQUESTS, { pageSize: 25, filter: 'status = PAID' }, 400],
  ['three wrong arguments of a list', REQUESTS, { ...wrongList, filter: 'status = PAID' }, 400],
  ['stats', STATS, { startTime: START, endTime: START + 10, pageSize: 25 }, 200],
  ['wrong stats', STATS, { startTime: 5, endTime: START, interval: 5, pageSize: 0 }, 400],
  ['volumes', VOLUMES, volumes, 200],
  ['volumes by the hour', VOLUMES, { ...volumes, interval: 3_600, chainId: 1 }, 200],
  ['volumes of an unknown vault', VOLUMES, { ...volumes, vaultAddress: USER }, 404],
  ['four wrong arguments of volumes', VOLUMES, { ...volumes, ...wrongVolumes }, 400],
  ['APYs', APYS, { pageSize: 100, filter: 'chainId = 1' }, 200],
  ['APYs by the hour, newest first', APYS, { ...hourly, orderByTimestamp: 'desc' }, 200],
  ['APYs without the present one', APYS, { ...hourly, includeCurrent: false }, 200],
  ['a window of no full hours', APYS, { pageSize: 10, apyWindow: 5_400 }, 400],
  ['all wrong arguments of APYs', APYS, { ...wrongSeries, apyWindow: 1 }, 400],
  ['TVLs', TVLS, { pageSize: 100, filter: 'chainId = 1' }, 200],
  ['TVLs without the present one', TVLS, { ...hourly, includeCurrent: false }, 200],
  ['a start without an end', TVLS, { pageSize: 10, startTime: START }, 400],
  ['all wrong arguments of TVLs', TVLS, wrongSeries, 400],
  ['positions', POSITIONS, { pageSize: 10, userAddress: USER, filter: 'chainId = 1' }, 200],
  ['no positions', POSITIONS, { pageSize: 10, userAddress: USER, filter: 'chainId = 5' }, 200],
  ['all wrong arguments of positions', POSITIONS, { ...wrongList, userAddress: USER }, 400],
]

let earn: EarnWorld
beforeAll(async () => {
  earn = await startEarnWorld([1, 4663, 11_155_111], { moreHeads: { 11155111: 50 } })
  await seedVaults(earn.world)
  await insertIndex()
})
afterAll(() => earn?.stop())

test.each(CASES)('behavior: %s', async (_, field, variables, status) => {
  const { rest, graphql } = await askBothDoors(earn.api.url, field, variables)
  expect([rest.status, rest.body]).toEqual([status, rest.body])
  expect(graphql).toEqual(rest)
})

test.each([
  ['v3 authorization', '/v3/core/authorization', { tokenAddress: USDC, amount: '1' }],
  [
    'authorization',
    '/v2/core/authorization',
    { vaultAddress: dollar.vault, tokenAddress: USDC, amount: '1' },
  ],
  [
    'deposit',
    '/v2/earn/deposit',
    { vaultAddress: dollar.vault, depositAsset: USDC, depositAmount: '1' },
  ],
  [
    'withdraw',
    '/v2/earn/withdraw',
    { vaultAddress: dollar.vault, wantAsset: USDC, shareAmount: '1' },
  ],
  ['cancel', '/v2/earn/withdraw/cancel', { vaultAddress: dollar.vault, orderIndex: '1' }],
  [
    'fee',
    '/v2/earn/calculateWithdrawalFee',
    { vaultAddress: dollar.vault, wantAsset: USDC, offerAmount: '1' },
  ],
  [
    'volumes',
    '/v2/earn/withdrawalVolumes',
    { vaultAddress: dollar.vault, startTime: '0', endTime: '1' },
  ],
])('error: %s, of a chain that this service has not', async (_, path, parameters) => {
  const given = { ...parameters, userAddress: USER, chainId: '77' }
  const query = new URLSearchParams(Object.entries(given))
  const { status, reason } = await getJson(`${earn.api.url}${path}?${query}`)
  expect([status, reason]).toEqual([404, 'CHAIN_NOT_FOUND'])
})

test('error: a smart deposit address, of a chain that this service has not', async () => {
  const input = { userDestinationAddress: USER, vaultAddress: dollar.vault, inputToken: USDC }
  const response = await ask(`${earn.api.url}/v2/earn/smartDepositAddresses`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...input, chainId: 77 }),
  })
  expect([response.status, await response.json()]).toMatchObject([
    404,
    { error: { details: [{ reason: 'CHAIN_NOT_FOUND', metadata: { chainId: '77' } }] } },
  ])
})

test('error: a vault that is paused', async () => {
  const client = earnClient(
    { world: earn.world, url: earn.api.url },
    { name: 'Harbor Dollar', chainId: 1 },
  )
  for (const contract of [dollar.current.teller, dollar.current.accountant])
    await asOwner(client, contract, ['function pause()'])
  const paused = await askBothDoors(earn.api.url, DEPOSIT, deposit)
  expect(paused.rest.status).toBe(503)
  expect(paused.graphql).toEqual(paused.rest)
  // The queue still takes withdrawal requests.
  const queued = await askBothDoors(earn.api.url, WITHDRAW, withdrawal)
  expect(queued.rest).toMatchObject({
    status: 200,
    body: { transaction: { functionName: 'submitOrder' } },
  })
  expect(queued.graphql).toEqual(queued.rest)
})

/** The index's facts about one vault: rates, supply, withdrawal requests and a user's shares. */
async function insertIndex() {
  const { sql } = earn.api.context
  const place = { chain_id: 1, vault: lower(dollar.vault) }
  const moment = { block: 5, supply: 10n ** 9n, holders: 1, supplyBlock: 5, rateBlock: 5 }
  await insertLife(sql, {
    chainId: 1,
    vault: place.vault,
    openingRate: 999_999n,
    states: [
      { ...moment, time: START - 9 * 86_400, rate: 1_000_000n },
      { ...moment, time: START - 3 * 86_400, rate: 1_000_100n },
    ],
  })
  const request = { ...place, queue: lower(dollar.current.queue), want_asset: lower(USDC) }
  await insertWithdrawOrders(sql, [
    withdrawOrder({ ...request, order_index: 1 }),
    withdrawOrder({ ...request, order_index: 2, ...outcomeOf('COMPLETE') }),
    withdrawOrder({ ...request, order_index: 3, ...outcomeOf('PENDING_REFUND') }),
  ])
  const paid = { block_timestamp: START + 5, shares: 7, assets: 6 }
  await insertFacts(sql, 'withdrawal', [{ ...place, ...paid, asset: lower(USDC) }])
  const account = { user_address: lower(USER), counterparty: lower(OTHER) }
  const deposit = {
    type: 'DEPOSIT',
    asset: lower(USDC),
    asset_amount: 7,
    shares: 6,
    rate: 1_000_000,
  }
  await insertFacts(sql, 'vault_activity', [
    { ...place, ...account, ...deposit },
    { ...place, ...account, type: 'WITHDRAWAL_REFUNDED', order_index: 2, log_index: 99_999 },
  ])
  await insertFacts(sql, 'share_balance', [{ ...place, account: lower(USER), balance: 12_345_678 }])
}
