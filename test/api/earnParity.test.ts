import { zeroAddress } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DEVNET_REFUSED_USER, DEVNET_SOLVER, DEVNET_USERS } from '../../devnet/accounts.ts'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import { vaultDeployment } from '../../devnet/vaults/deployment.ts'
import { seedVaults } from '../../devnet/vaults/seedVaults.ts'
import { askBothDoors, type Field } from '../support/bothDoors.ts'
import { asOwner, earnClient } from '../support/earn.ts'
import { type EarnWorld, startEarnWorld } from '../support/earnWorld.ts'

/** Whatever REST answers about vaults, deposits and withdrawals, GraphQL answers too. */

const USER = DEVNET_USERS[0]?.address ?? zeroAddress
const OTHER = DEVNET_USERS[3]?.address ?? zeroAddress
const { USDC, USDG, USDT, USDP } = DEPLOYMENT.tokens
const dollar = vaultDeployment('Harbor Dollar', 1)
const prime = vaultDeployment('Harbor Prime', 1)
const classic = vaultDeployment('Harbor Classic', 1)
const sunset = vaultDeployment('Harbor Sunset', 11_155_111)
const PERMIT = `0x${'11'.repeat(64)}1b`

const TRANSACTION = '{ to value data abi functionName args }'
const LIST = { filter: 'String', pageSize: 'Int!', pageToken: 'String' }
const VAULTS: Field = {
  path: '/v2/earn/vaults',
  field: 'vaults',
  selection: `{ vaults { name deployments {
    chainId boringVaultAddress depositorAddress withdrawQueueAddress requiresKyt baseTokenAddress
    accountantAddress tellerAddress depositFeeAddress withdrawFeeAddress inDeprecation
    depositSupplyCap { raw formatted decimals hasCap }
    minimumWithdrawalOrderSize { raw formatted decimals }
    assets { assetAddress depositable withdrawable
      depositFees { bps percentage } withdrawFees { bps percentage }
      withdrawalSLAs { expectedDelay expiryBuffer internalWithdrawalQueueDelaySLA
        externalWithdrawalQueueDelaySLA internalAccountantRateUpdateDelaySLA
        externalAccountantRateUpdateSLA } } } } nextPageToken }`,
  types: LIST,
}
const ASSETS: Field = {
  path: '/v2/earn/vaultAssets',
  field: 'vaultAssets',
  selection: `{ vaultAssets { vaultAddress chainId assetAddress depositable withdrawable }
    nextPageToken tokenMetadata }`,
  types: LIST,
}
const AUTHORIZATION: Field = {
  path: '/v2/core/authorization',
  field: 'depositAuthorization',
  selection: '{ method permitData approvalTransaction { encoded requiresFollowUp } }',
  types: {
    vaultAddress: 'PayableAddress!',
    tokenAddress: 'PayableAddress!',
    amount: 'Amount!',
    userAddress: 'PayableAddress!',
    chainId: 'Int!',
  },
}
const DEPOSIT: Field = {
  path: '/v2/earn/deposit',
  field: 'deposit',
  selection: TRANSACTION,
  member: 'transaction',
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
const WITHDRAW: Field = {
  path: '/v2/earn/withdraw',
  field: 'withdraw',
  selection: TRANSACTION,
  member: 'transaction',
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
    simulate: 'Boolean!',
  },
}
const CANCEL: Field = {
  path: '/v2/earn/withdraw/cancel',
  field: 'cancelWithdrawal',
  selection: TRANSACTION,
  member: 'transaction',
  hasFormats: true,
  types: {
    vaultAddress: 'PayableAddress!',
    orderIndex: 'Amount!',
    chainId: 'Int!',
    simulate: 'Boolean!',
  },
}
const FEE: Field = {
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
  simulate: false,
}
const cancel = { vaultAddress: sunset.vault, chainId: 11_155_111, orderIndex: '1', simulate: false }
const fee = { ...place, offerAmount: '10000000', wantAsset: USDC }

const CASES: [name: string, field: Field, variables: Record<string, unknown>, status: number][] = [
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
  ['no amount', AUTHORIZATION, { ...allowance, amount: '0', userAddress: zeroAddress }, 400],
  ['what is no token', AUTHORIZATION, { ...allowance, tokenAddress: USER }, 400],
  ['a vault that is none', AUTHORIZATION, { ...allowance, vaultAddress: USDC }, 404],
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
  ['one that is marked', CANCEL, { ...cancel, orderIndex: '2' }, 400],
  ['one that is paid', CANCEL, { ...cancel, ...place, vaultAddress: prime.vault }, 400],
  ['one that is none', CANCEL, { ...cancel, orderIndex: '99' }, 404],
  ['one of no vault', CANCEL, { ...cancel, chainId: 1 }, 404],
  ['a fee', FEE, fee, 200],
  ['a fee with a flat part', FEE, { ...fee, vaultAddress: prime.vault, offerAmount: '1' }, 200],
  ['a fee of nothing', FEE, { ...fee, offerAmount: '0' }, 400],
  ['a fee of no asset', FEE, { ...fee, wantAsset: USDP }, 400],
  ['a fee of no vault', FEE, { ...fee, vaultAddress: USER }, 404],
]

let earn: EarnWorld
beforeAll(async () => {
  earn = await startEarnWorld([1, 11_155_111])
  await seedVaults(earn.world)
})
afterAll(() => earn?.stop())

test.each(CASES)('behavior: %s', async (_, field, variables, status) => {
  const { rest, graphql } = await askBothDoors(earn.api.url, field, variables)
  expect([rest.status, rest.body]).toEqual([status, rest.body])
  expect(graphql).toEqual(rest)
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
  // The queue takes orders all the same.
  const queued = await askBothDoors(earn.api.url, WITHDRAW, withdrawal)
  expect(queued.rest).toMatchObject({ status: 200, body: { functionName: 'submitOrder' } })
  expect(queued.graphql).toEqual(queued.rest)
})
