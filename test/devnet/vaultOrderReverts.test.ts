import {
  encodeAbiParameters,
  erc20Abi,
  keccak256,
  parseAbi,
  parseEther,
  parseEventLogs,
  parseSignature,
  zeroAddress,
} from 'viem'
import { describe, expect, test } from 'vitest'
import { withdrawQueueAbi } from '../../abis/withdrawQueue.ts'
import { chainTime } from '../../devnet/chainTime.ts'
import {
  accountantOperatorAbi,
  depositorOperatorAbi,
  tellerOperatorAbi,
} from '../../devnet/vaults/operatorAbis.ts'
import { NO_SIGNATURE, orderParams } from '../../devnet/vaults/orderParams.ts'
import { submitWithdrawal } from '../../devnet/vaults/submitWithdrawal.ts'
import { worldClient } from '../../devnet/world.ts'
import { revertOf } from './revertOf.ts'
import { type Call, send } from './stationWorld.ts'
import {
  asOwner,
  bulkWithdraw,
  type Case,
  describeReverts,
  errors,
  freeze,
  me,
  other,
  useVaultWorld,
  world,
} from './vaultCases.ts'
import { callOf, owner, prime, tokens } from './vaultWorld.ts'

const { accountant, teller, queue, withdrawFeeModule } = prime.current
const { USDC, USDG, USDP } = tokens

useVaultWorld()

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

describeReverts('a withdrawal at once', atOnce)
describeReverts('an order', orders)
describeReverts('an order, later', later)

describe('what passes', () => {
  test('behavior: any account may send a cancellation that the holder signed', async () => {
    await order()
    const deadline = (await chainTime(worldClient(world, 1))) + 600n
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

  test('behavior: any account may submit, once, a request that the holder of the shares signed', async () => {
    const deadline = (await chainTime(worldClient(world, 1))) + 600n
    const shares = parseEther('10')
    const params = orderParams({ user: me, wantAsset: USDG, shares })
    const digest = submitDigest(params, deadline, 0n)
    const eip2612Signature = await me.sign({ hash: digest })
    const signatureParams = {
      ...NO_SIGNATURE,
      submitWithSignature: true,
      deadline,
      eip2612Signature,
    }
    const call = submit({ signatureParams }, other)
    const { logs } = await send(world, 1, call)
    const [submitted] = parseEventLogs({ abi: withdrawQueueAbi, logs, eventName: 'OrderSubmitted' })
    expect(submitted?.args).toMatchObject({ depositor: me.address, isSubmittedViaSignature: true })
    // The nonce has changed, so the signature recovers to another address.
    const found = ['InvalidDepositor', me.address, expect.any(String)]
    expect(await revertOf(world, 1, call, errors)).toEqual(found)
  })

  test('behavior: an order pays with a permit of its shares', async () => {
    const shares = parseEther('10')
    const deadline = (await chainTime(worldClient(world, 1))) + 600n
    await send(world, 1, callOf(me, prime.vault, erc20Abi, 'approve', [queue, 0n]))
    const { v, r, s } = parseSignature(await signSharePermit(shares, deadline))
    const signatureParams = {
      ...NO_SIGNATURE,
      approvalMethod: 1,
      approvalV: Number(v),
      approvalR: r,
      approvalS: s,
      deadline,
    }
    expect((await send(world, 1, submit({ signatureParams }))).status).toBe('success')
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

/** This project's own layout: the message that the deployed queue expects was not recorded. */
function submitDigest(params: ReturnType<typeof orderParams>, deadline: bigint, nonce: bigint) {
  const types = 'uint256,address,address,address,uint256,uint8,uint256,address,uint256'.split(',')
  const { amountOffer, wantAsset, receiver, refundReceiver } = params
  const values = [amountOffer, wantAsset, receiver, refundReceiver, deadline, 0, nonce, queue, 1n]
  return keccak256(
    encodeAbiParameters(
      types.map((type) => ({ type })),
      values,
    ),
  )
}

/** The EIP-712 domain with the vault's name, version 1. */
function signSharePermit(value: bigint, deadline: bigint) {
  return me.signTypedData({
    domain: {
      name: prime.plan.name,
      version: '1',
      chainId: 1,
      verifyingContract: prime.vault,
    },
    types: {
      Permit: [
        { name: 'owner', type: 'address' },
        { name: 'spender', type: 'address' },
        { name: 'value', type: 'uint256' },
        { name: 'nonce', type: 'uint256' },
        { name: 'deadline', type: 'uint256' },
      ],
    },
    primaryType: 'Permit',
    message: { owner: me.address, spender: queue, value, nonce: 0n, deadline },
  })
}

function submit(changes: object, account = me, functionName = 'submitOrder'): Call {
  const shares = parseEther('10')
  const params = orderParams({ user: me, wantAsset: USDG, shares })
  return callOf(account, queue, withdrawQueueAbi, functionName, [{ ...params, ...changes }])
}

function order(changes: { wantAsset?: `0x${string}`; shares?: bigint } = {}) {
  const { wantAsset = USDG, shares = parseEther('10') } = changes
  return submitWithdrawal(world, { user: me, deployment: prime, wantAsset, shares })
}

function onQueue(functionName: string, args: unknown[], account: Call['account'] = me): Call {
  return callOf(account, queue, withdrawQueueAbi, functionName, args)
}
