import { encodeAbiParameters, keccak256, parseAbi, parseEther, parseUnits, zeroAddress } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { accountantAbi } from '../../abis/accountant.ts'
import { depositorAbi } from '../../abis/depositor.ts'
import { tellerAbi } from '../../abis/teller.ts'
import { freezeHookAbi } from '../../abis/vault.ts'
import { withdrawQueueAbi } from '../../abis/withdrawQueue.ts'
import { signAttestation } from '../../devnet/signAttestation.ts'
import {
  type Attestation,
  depositInto,
  NO_ATTESTATION,
  statementData,
} from '../../devnet/vaults/depositInto.ts'
import {
  accountantOperatorAbi,
  depositorOperatorAbi,
  freezeHookOperatorAbi,
  tellerOperatorAbi,
} from '../../devnet/vaults/operatorAbis.ts'
import { POLICY_ID } from '../../devnet/vaults/plan.ts'
import { selectorOf } from '../../devnet/vaults/roles.ts'
import {
  NO_SIGNATURE,
  orderParams,
  submitWithdrawal,
} from '../../devnet/vaults/submitWithdrawal.ts'
import { worldClient } from '../../devnet/world.ts'
import { authorityAbi, tokenAbi } from './localAbis.ts'
import { revertOf } from './revertOf.ts'
import { type Call, send, user } from './stationWorld.ts'
import {
  actors,
  callOf,
  owner,
  prime,
  setRole,
  startVaultWorld,
  tokens,
  type VaultWorld,
} from './vaultWorld.ts'

const { accountant, teller, depositor, queue, withdrawFeeModule } = prime.current
const { USDC, USDG, USDP } = tokens
const me = user(0)
const other = user(1)
const BIG = parseEther('100000000')
const PERMIT = [0n, 27, `0x${'00'.repeat(32)}`, `0x${'00'.repeat(32)}`] as const

const errors = [
  ...depositorAbi,
  ...tellerAbi,
  ...accountantAbi,
  ...withdrawQueueAbi,
  ...freezeHookAbi,
  ...parseAbi([
    'error VaultMismatch(address offerAsset, address vault)',
    'error QueueMustBeEmpty()',
    'error SignatureExpired(uint256 deadline, uint256 currentTimestamp)',
  ]),
]

let world: VaultWorld
let snapshot: `0x${string}`
beforeAll(async () => {
  world = await startVaultWorld()
  await setRole(world, me.address, 'solver')
  await depositInto(world, {
    user: me,
    deployment: prime,
    asset: USDG,
    amount: parseUnits('1000', 6),
  })
  await allow(me, USDG, depositor)
  await allow(me, USDC, depositor)
  await allow(me, prime.vault, queue)
})
afterAll(() => world?.stop())
beforeEach(async () => {
  snapshot = await worldClient(world, 1).snapshot()
})
afterEach(() => worldClient(world, 1).revert({ id: snapshot }))

type Case = {
  name: string
  prepare?: () => Promise<unknown>
  call: () => Call | Promise<Call>
  reverts: unknown[]
}

const deposits: Case[] = [
  {
    name: 'the function is no public capability',
    prepare: () =>
      asOwner(prime.authority, authorityAbi, 'setPublicCapability', [
        depositor,
        selectorOf(depositorAbi, 'deposit'),
        false,
      ]),
    call: () => deposit(),
    reverts: ['Error', 'UNAUTHORIZED'],
  },
  {
    name: 'a permit that fails without an allowance',
    call: () => depositWithPermit(other),
    reverts: ['PermitFailedAndAllowanceTooLow'],
  },
  {
    name: 'nothing',
    call: () => deposit({ amount: 0n }),
    reverts: ['FeesExceedOrEqualAmount'],
  },
  {
    name: 'an allowance that is too low',
    call: () => deposit({}, other),
    reverts: ['Error', 'TRANSFER_FROM_FAILED'],
  },
  {
    name: 'an asset that is not taken',
    prepare: () => allow(me, USDP, depositor),
    call: () => deposit({ asset: USDP }),
    reverts: ['TellerWithMultiAssetSupport__AssetNotSupported'],
  },
  {
    name: 'one share more than the rate gives',
    call: () => deposit({ amount: 1_000_000n, minimumMint: parseEther('1') + 1n }),
    reverts: ['TellerWithMultiAssetSupport__MinimumMintNotMet'],
  },
  {
    name: 'a teller that is paused',
    prepare: () => asOwner(teller, tellerOperatorAbi, 'pause'),
    call: () => deposit(),
    reverts: ['TellerWithMultiAssetSupport__Paused'],
  },
  {
    name: 'an accountant that is paused',
    prepare: () => asOwner(accountant, accountantOperatorAbi, 'pause'),
    call: () => deposit(),
    reverts: ['AccountantWithRateProviders__Paused'],
  },
  {
    name: 'a cap of nothing',
    prepare: () => asOwner(depositor, depositorOperatorAbi, 'setSupplyCapInBase', [0n]),
    call: () => deposit({ amount: 1_000_000n }),
    reverts: ['SupplyCapInBaseError', parseEther('1001'), 0n],
  },
  {
    name: 'a receiver whose shares are frozen',
    prepare: () => freeze(other.address),
    call: () => deposit({ receiver: other.address }),
    reverts: ['Error', 'TRANSFER_FAILED'],
  },
  {
    name: 'a fee for nobody',
    call: () => callOf(owner, depositor, depositorOperatorAbi, 'setFeeRecipient', [zeroAddress]),
    reverts: ['ZeroAddress'],
  },
  {
    name: 'the teller without the depositor',
    call: () => callOf(me, teller, tellerOperatorAbi, 'deposit', [USDG, 1n, 0n]),
    reverts: ['Error', 'UNAUTHORIZED'],
  },
  {
    name: 'nothing, by the teller alone',
    call: () => callOf(owner, teller, tellerOperatorAbi, 'deposit', [USDG, 0n, 0n]),
    reverts: ['TellerWithMultiAssetSupport__ZeroAssets'],
  },
]

const attested: Case[] = [
  {
    name: 'none',
    call: () => deposit({ asset: USDC, attestation: NO_ATTESTATION }),
    reverts: ['Error', 'Predicate.validateAttestation: attestation expired'],
  },
  {
    name: 'one that was used',
    prepare: async () => {
      used = await attestation()
      await send(world, 1, deposit({ asset: USDC, attestation: used }))
    },
    call: () => deposit({ asset: USDC, attestation: used }),
    reverts: ['Error', 'Predicate.validateAttestation: statement UUID already used'],
  },
  {
    name: 'one of another amount',
    call: async () =>
      deposit({ asset: USDC, amount: 6_000_000n, attestation: await attestation() }),
    reverts: ['Error', 'Predicate.validateAttestation: Invalid signature'],
  },
  {
    name: 'one of another sender',
    prepare: () => allow(other, USDC, depositor),
    call: async () => deposit({ asset: USDC, attestation: await attestation() }, other),
    reverts: ['Error', 'Predicate.validateAttestation: Invalid signature'],
  },
  {
    name: 'one of an attester that is not registered',
    call: async () => deposit({ asset: USDC, attestation: await ownAttestation() }),
    reverts: ['Error', 'Predicate.validateAttestation: Attester is not a registered attester'],
  },
]
let used: Attestation = NO_ATTESTATION

const atOnce: Case[] = [
  {
    name: 'without the role',
    call: () => bulkWithdraw({}, other),
    reverts: ['Error', 'UNAUTHORIZED'],
  },
  {
    name: 'a teller that is paused',
    prepare: () => asOwner(teller, tellerOperatorAbi, 'pause'),
    call: () => bulkWithdraw(),
    reverts: ['TellerWithMultiAssetSupport__Paused'],
  },
  {
    name: 'an asset that is not given',
    call: () => bulkWithdraw({ asset: USDP }),
    reverts: ['TellerWithMultiAssetSupport__AssetNotSupported'],
  },
  {
    name: 'nothing',
    call: () => bulkWithdraw({ shares: 0n }),
    reverts: ['TellerWithMultiAssetSupport__ZeroShares'],
  },
  {
    name: 'one unit more than the rate gives',
    call: () => bulkWithdraw({ shares: parseEther('1'), minimum: 1_000_001n }),
    reverts: ['TellerWithMultiAssetSupport__MinimumAssetsNotMet'],
  },
  {
    name: 'a receiver that is frozen',
    prepare: () => freeze(other.address),
    call: () => bulkWithdraw({ to: other.address }),
    reverts: ['FrozenAddress', other.address],
  },
]

const orders: Case[] = [
  {
    name: 'too few shares',
    call: () => submit({ amountOffer: 10n ** 15n - 1n }),
    reverts: ['AmountBelowMinimum', 10n ** 15n - 1n, 10n ** 15n],
  },
  {
    name: 'no receiver',
    call: () => submit({ receiver: zeroAddress }),
    reverts: ['ZeroAddress'],
  },
  {
    name: 'nobody to refund',
    call: () => submit({ refundReceiver: zeroAddress }),
    reverts: ['ZeroAddress'],
  },
  {
    name: 'an asset that is not given',
    call: () => submit({ wantAsset: USDP }),
    reverts: ['AssetNotSupported', USDP],
  },
  {
    name: "somebody else's shares",
    call: () => submit({ intendedDepositor: other.address }),
    reverts: ['InvalidDepositor', other.address, me.address],
  },
  {
    name: 'a permit that fails without an allowance',
    call: () =>
      submit(
        {
          intendedDepositor: other.address,
          signatureParams: { ...NO_SIGNATURE, approvalMethod: 1 },
        },
        other,
      ),
    reverts: ['PermitFailedAndAllowanceTooLow'],
  },
  {
    name: 'an allowance that is too low',
    call: () => submit({ intendedDepositor: other.address }, other),
    reverts: ['Error', 'TRANSFER_FROM_FAILED'],
  },
  {
    name: 'a contract that takes no receipt',
    call: () => submit({ receiver: USDC }),
    reverts: ['ERC721InvalidReceiver', USDC],
  },
  {
    name: 'to settle all at once without the right to',
    call: () => submit({}, me, 'submitOrderAndProcessAll'),
    reverts: ['Error', 'UNAUTHORIZED'],
  },
]

const later: Case[] = [
  {
    name: 'a cancellation by another',
    prepare: () => order(),
    call: () => onQueue('cancelOrder', [1n], other),
    reverts: ['OnlyOrderOwnerCanCancel', other.address, me.address],
  },
  {
    name: 'a cancellation of what there is not',
    call: () => onQueue('cancelOrder', [1n]),
    reverts: ['ERC721NonexistentToken', 1n],
  },
  {
    name: 'a second cancellation',
    prepare: async () => {
      await order()
      await send(world, 1, onQueue('cancelOrder', [1n]))
    },
    call: () => onQueue('cancelOrder', [1n]),
    reverts: ['InvalidOrderType', 1n, 2],
  },
  {
    name: 'a signed cancellation that is too late',
    prepare: () => order(),
    call: () => onQueue('cancelOrderWithSignature', [1n, 1n, '0x']),
    reverts: ['SignatureExpired', 1n, expect.any(BigInt)],
  },
  {
    name: 'more orders than there are',
    prepare: () => order(),
    call: () => onQueue('processOrders', [2n], owner),
    reverts: ['NotEnoughOrdersToProcess', 2n, 1n],
  },
  {
    name: 'an order while the teller is paused',
    prepare: async () => {
      await order()
      await asOwner(teller, tellerOperatorAbi, 'pause')
    },
    call: () => onQueue('processOrders', [1n], owner),
    reverts: ['TellerIsPaused'],
  },
  {
    name: 'an order while the accountant is paused',
    prepare: async () => {
      await order()
      await asOwner(accountant, accountantOperatorAbi, 'pause')
    },
    call: () => onQueue('processOrders', [1n], owner),
    reverts: ['AccountantWithRateProviders__Paused'],
  },
  {
    name: 'an order that the vault cannot pay',
    prepare: () => order({ wantAsset: USDC }),
    call: () => onQueue('processOrders', [1n], owner),
    reverts: ['VaultInsufficientBalance', USDC, 9_940_000n, 0n],
  },
  {
    name: 'processing without the role',
    prepare: () => order(),
    call: () => onQueue('processOrders', [1n]),
    reverts: ['Error', 'UNAUTHORIZED'],
  },
  {
    name: 'out of turn, what there is not',
    call: () => onQueue('forceProcess', [1n], owner),
    reverts: ['InvalidOrderIndex', 1n],
  },
  {
    name: 'out of turn, what had its turn',
    prepare: async () => {
      await order()
      await send(world, 1, onQueue('processOrders', [1n], owner))
    },
    call: () => onQueue('forceProcess', [1n], owner),
    reverts: ['OrderAlreadyProcessed', 1n],
  },
  {
    name: 'out of turn, what was cancelled',
    prepare: async () => {
      await order()
      await send(world, 1, onQueue('cancelOrder', [1n]))
    },
    call: () => onQueue('forceProcess', [1n], owner),
    reverts: ['InvalidOrderType', 1n, 2],
  },
  {
    name: 'out of turn, what does not pay its fee',
    prepare: () => order({ wantAsset: USDC, shares: parseEther('0.04') }),
    call: () => onQueue('forceProcess', [1n], owner),
    reverts: ['Panic', 17n],
  },
  {
    name: "another vault's fee",
    call: () =>
      callOf(me, withdrawFeeModule, FEES, 'calculateOfferFees', [1n, USDC, USDG, me.address]),
    reverts: ['VaultMismatch', USDC, prime.vault],
  },
  {
    name: 'another fee module while orders wait',
    prepare: () => order(),
    call: () => callOf(owner, queue, depositorOperatorAbi, 'setFeeModule', [zeroAddress]),
    reverts: ['QueueMustBeEmpty'],
  },
]

describe.each([
  ['a deposit', deposits],
  ['an attestation', attested],
  ['a withdrawal at once', atOnce],
  ['an order', orders],
  ['an order, later', later],
])('%s', (_, cases) => {
  test.each(cases)('error: $name', async ({ prepare, call, reverts }) => {
    await prepare?.()
    expect(await revertOf(world, 1, await call(), errors)).toEqual(reverts)
  })
})

describe('what is forgiven', () => {
  test('behavior: a permit that fails where the allowance suffices', async () => {
    const { status } = await send(world, 1, depositWithPermit(me))
    expect(status).toBe('success')
  })

  test('behavior: the exact minimum of a deposit and of a withdrawal at once', async () => {
    const exact = deposit({ amount: 1_000_000n, minimumMint: parseEther('1') })
    expect((await send(world, 1, exact)).status).toBe('success')
    const out = bulkWithdraw({ shares: parseEther('1'), minimum: 1_000_000n })
    expect((await send(world, 1, out)).status).toBe('success')
  })

  test('behavior: anybody sends a cancellation that the holder signed', async () => {
    await order()
    const { timestamp } = await worldClient(world, 1).getBlock()
    const deadline = timestamp + 600n
    const signature = await me.sign({ hash: cancelDigest(1n, deadline) })
    await send(world, 1, onQueue('cancelOrderWithSignature', [1n, deadline, signature], other))
    const status = await worldClient(world, 1).readContract({
      address: queue,
      abi: withdrawQueueAbi,
      functionName: 'getOrderStatus',
      args: [1n],
    })
    expect(status).toBe(4)
  })
})

const FEES = parseAbi([
  'function calculateOfferFees(uint256 amount, address offerAsset, address wantAsset, address receiver) view returns (uint256)',
])
const CANCEL_TYPEHASH = '0xc4885677bb4c74e16077fc0be4a6247c9ac054336182fd03ca0de93fa35fc725'

function cancelDigest(index: bigint, deadline: bigint) {
  const types = ['bytes32', 'uint256', 'uint256', 'address', 'uint256'].map((type) => ({ type }))
  return keccak256(encodeAbiParameters(types, [CANCEL_TYPEHASH, index, deadline, queue, 1n]))
}

function asOwner(
  address: `0x${string}`,
  abi: readonly unknown[],
  name: string,
  args: unknown[] = [],
) {
  return send(world, 1, callOf(owner, address, abi, name, args))
}

function allow(account: typeof me, token: `0x${string}`, spender: `0x${string}`) {
  return send(world, 1, callOf(account, token, tokenAbi, 'approve', [spender, BIG]))
}

function freeze(account: `0x${string}`) {
  return asOwner(prime.hook ?? zeroAddress, freezeHookOperatorAbi, 'setFrozen', [account, true])
}

type DepositOptions = {
  asset?: `0x${string}`
  amount?: bigint
  minimumMint?: bigint
  receiver?: `0x${string}`
  attestation?: Attestation
}

function deposit(options: DepositOptions = {}, account = me): Call {
  const { asset = USDG, amount = 5_000_000n, minimumMint = 0n } = options
  const { receiver = account.address, attestation: given = NO_ATTESTATION } = options
  const args = [asset, amount, minimumMint, receiver, '0x', given]
  return callOf(account, depositor, depositorAbi, 'deposit', args)
}

function depositWithPermit(account: typeof me): Call {
  const args = [USDG, 5_000_000n, 0n, account.address, '0x', NO_ATTESTATION, ...PERMIT]
  return callOf(account, depositor, depositorAbi, 'depositWithPermit', args)
}

/** Of a deposit of 5 USDC by the first user. */
async function statement() {
  const request = { user: me, deployment: prime, asset: USDC, amount: 5_000_000n }
  const { timestamp } = await worldClient(world, 1).getBlock()
  return {
    expiration: Number(timestamp) + 600,
    call: {
      ...{ chainId: 1, value: 0n, policy: POLICY_ID },
      ...{ from: me.address, to: depositor, data: statementData(request) },
    },
  }
}

async function attestation(): Promise<Attestation> {
  const { call, expiration } = await statement()
  const signed = await signAttestation(call, expiration)
  return { ...signed, expiration: BigInt(expiration) }
}

/** Signed well, by somebody whom no registry knows. */
async function ownAttestation(): Promise<Attestation> {
  const { call, expiration } = await statement()
  const signed = await signAttestation(call, expiration, actors.holder)
  return { ...signed, expiration: BigInt(expiration) }
}

type BulkOptions = {
  asset?: `0x${string}`
  shares?: bigint
  minimum?: bigint
  to?: `0x${string}`
}

function bulkWithdraw(options: BulkOptions = {}, account = me): Call {
  const { asset = USDG, shares = parseEther('10'), minimum = 0n, to = account.address } = options
  return callOf(account, teller, tellerAbi, 'bulkWithdraw', [asset, shares, minimum, to])
}

function submit(changes: object, account = me, functionName = 'submitOrder'): Call {
  const shares = parseEther('10')
  const params = orderParams({ user: me, deployment: prime, wantAsset: USDG, shares })
  return callOf(account, queue, withdrawQueueAbi, functionName, [{ ...params, ...changes }])
}

function order(changes: { wantAsset?: `0x${string}`; shares?: bigint } = {}) {
  const { wantAsset = USDG, shares = parseEther('10') } = changes
  return submitWithdrawal(world, { user: me, deployment: prime, wantAsset, shares })
}

function onQueue(functionName: string, args: unknown[], account: Call['account'] = me): Call {
  return callOf(account, queue, withdrawQueueAbi, functionName, args)
}
