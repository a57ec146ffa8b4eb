import { erc20Abi, parseAbi, parseEther, parseUnits, zeroAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { depositorAAbi } from '../../abis/depositor.ts'
import { tellerAbi } from '../../abis/teller.ts'
import { withdrawQueueAbi } from '../../abis/withdrawQueue.ts'
import { depositInto } from '../../devnet/vaults/depositInto.ts'
import {
  accountantOperatorAbi,
  blacklistAbi,
  depositorOperatorAbi,
  freezeHookOperatorAbi,
  queueOperatorAbi,
  tellerOperatorAbi,
} from '../../devnet/vaults/operatorAbis.ts'
import { PUBLIC_FUNCTIONS } from '../../devnet/vaults/roles.ts'
import { submitWithdrawal } from '../../devnet/vaults/submitWithdrawal.ts'
import { worldClient } from '../../devnet/world.ts'
import { authorityAbi, tokenAbi } from './localAbis.ts'
import { type Names, recordedEvents, tellEvents } from './recordedVault.ts'
import { send, user } from './stationWorld.ts'
import {
  actors,
  callOf,
  create,
  minter,
  owner,
  prime,
  type Receipt,
  setRole,
  startVaultWorld,
  tokens,
  type VaultWorld,
} from './vaultWorld.ts'

const { accountant, teller, depositor, queue, depositFeeModule = zeroAddress } = prime.current
const [first, second, third, fourth] = [user(0), user(1), user(2), user(3)]
const { outcast, recovery, feeRecipient } = actors

let world: VaultWorld
const names: Names = {
  vault: prime.vault,
  accountant,
  teller,
  depositor,
  queue,
  USDC: tokens.USDC,
  USDT: tokens.USDT,
  USDG: tokens.USDG,
  nobody: zeroAddress,
  first: first.address,
  second: second.address,
  third: third.address,
  fourth: fourth.address,
  outcast: outcast.address,
  recovery: recovery.address,
  feeRecipient: feeRecipient.address,
}

beforeAll(async () => {
  world = await startVaultWorld()
  await asOwner(depositFeeModule, FEES, 'setFeeData', [tokens.USDC, 5n, 0n])
  await asOwner(teller, tellerOperatorAbi, 'addWithdrawAsset', [tokens.USDT])
  const pegged = [tokens.USDT, true, zeroAddress]
  await asOwner(accountant, accountantOperatorAbi, 'setRateProviderData', pegged)
  await setRole(world, first.address, 'solver')
  await setRole(world, first.address, 'directWithdrawer')
  await addGenerationA()
})
afterAll(() => world?.stop())

/** The recorded steps by their block in the recording, repeated here. */
const STEPS: [block: number, what: string, run: () => Promise<Receipt>][] = [
  [126, 'a deposit with a fee', () => deposit('USDC', '1000', parseEther('999.5'))],
  [128, 'a plain deposit for somebody else', () => deposit('USDG', '500', 0n, second.address)],
  [129, 'attestations asked for', () => kyt(true)],
  [130, 'an attested deposit', () => deposit('USDG', '10')],
  [131, 'another', () => deposit('USDG', '10')],
  [132, 'attestations no longer asked for', () => kyt(false)],
  [134, 'a cap', () => cap(parseEther('1'))],
  [135, 'no cap', () => cap(2n ** 256n - 1n)],
  [138, 'a rate', () => updateRate('1.0002')],
  [141, 'an order', () => order('100')],
  [142, 'an order', () => order('50')],
  [143, 'an order', () => order('60')],
  [144, 'a cancellation', () => cancel(2n)],
  [
    145,
    'an order paid out of its turn',
    () => asOwner(queue, withdrawQueueAbi, 'forceProcess', [3n]),
  ],
  [146, 'paid, refunded, passed over', () => processOrders(3n)],
  [147, 'an order for somebody else', () => order('10', { receiver: second.address })],
  [148, 'its receipt passed on', () => passOn(4n)],
  [149, 'paid to who holds the receipt', () => processOrders(1n)],
  [
    150,
    'an order with another refund receiver',
    () => order('10', { receiver: second.address, refundReceiver: fourth.address }),
  ],
  [151, 'cancelled by its holder', () => cancel(5n, second)],
  [152, 'an order', () => order('10')],
  [153, 'marked by the owner', () => asOwner(queue, withdrawQueueAbi, 'refundOrder', [6n])],
  [154, 'both refunded', () => processOrders(2n)],
  [155, 'an order for an outcast', () => order('10', { receiver: outcast.address })],
  [157, 'refunded, for it cannot be paid', () => castOut().then(() => processOrders(1n))],
  [
    158,
    'an order for and back to an outcast',
    () => order('10', { receiver: outcast.address, refundReceiver: outcast.address }),
  ],
  [160, 'to recovery', () => processOrders(1n)],
  [161, 'an order back to an outcast', () => order('10', { refundReceiver: outcast.address })],
  [162, 'cancelled', () => cancel(9n)],
  [163, 'to recovery, cancelled', () => processOrders(1n)],
  [164, 'an order below its fee', () => order('0.04')],
  [165, 'refunded for its fee', () => processOrders(1n)],
  [
    166,
    'an order below its fee, back to an outcast',
    () => order('0.04', { refundReceiver: outcast.address }),
  ],
  [167, 'to recovery for its fee', () => processOrders(1n)],
  [168, 'an order below its fee', () => order('0.04')],
  [169, 'cancelled', () => cancel(12n)],
  [170, 'refunded', () => processOrders(1n)],
  [171, 'an order for what the vault has none of', () => order('10', { want: 'USDT' })],
  [172, 'cancelled', () => cancel(13n)],
  [173, 'refunded', () => processOrders(1n)],
  [174, 'an order', () => order('10')],
  [175, 'cancelled', () => cancel(14n)],
  [176, 'refunded', () => processOrders(1n)],
  [178, 'an order of another user', () => order('10', { by: second })],
  [
    179,
    'an order that settles all',
    () => order('10', { functionName: 'submitOrderAndProcessAll' }),
  ],
  [182, 'a withdrawal at once', () => bulkWithdraw('10')],
  [184, 'the accountant paused', () => asOwner(accountant, accountantOperatorAbi, 'pause')],
  [185, 'an order meanwhile', () => order('10')],
  [186, 'the accountant again', () => asOwner(accountant, accountantOperatorAbi, 'unpause')],
  [187, 'the teller paused', () => asOwner(teller, tellerOperatorAbi, 'pause')],
  [188, 'cancelled meanwhile', () => cancel(17n)],
  [189, 'refunded meanwhile', () => processOrders(1n)],
  [190, 'the teller again', () => asOwner(teller, tellerOperatorAbi, 'unpause')],
  [193, 'a deposit with a lock', () => lock().then(() => deposit('USDG', '7'))],
  [194, 'locked shares moved all the same', () => moveShares(6_998_600_279_944_011_197n)],
  [199, 'a deposit of generation A', () => lock(0n).then(depositByA)],
  [201, 'an order of generation A', () => order('2', { queue: names.queueA })],
  [202, 'paid by generation A', () => processOrders(1n, names.queueA)],
  [203, 'an order of generation A', () => order('2', { queue: names.queueA })],
  [204, 'cancelled', () => cancel(2n, first, names.queueA)],
  [205, 'refunded by generation A', () => processOrders(1n, names.queueA)],
  [207, 'a rate above all before', () => updateRate('1.0003000009')],
  [209, 'a rate out of bounds', () => updateRate('1.5')],
  [210, 'the accountant again', () => asOwner(accountant, accountantOperatorAbi, 'unpause')],
]

describe('the local vault contracts, beside what the deployed ones did', () => {
  test('behavior: every block of the recording is played', () => {
    const played = new Set(STEPS.map(([block]) => block))
    const blocks = Array.from({ length: 300 }, (_, block) => block).filter(
      (block) => block >= 126 && recordedEvents(block).length > 0,
    )
    expect(blocks).not.toEqual([])
    expect(blocks.filter((block) => !played.has(block))).toEqual([])
  })

  test.each(STEPS)('default: block %i, %s', async (block, _, run) => {
    const { logs } = await run()
    const recorded = recordedEvents(block)
    expect(recorded.length).toBeGreaterThan(0)
    expect(tellEvents(logs, names)).toEqual(recorded)
  })
})

const FEES = parseAbi([
  'function setFeeData(address token, uint256 feePercentage, uint256 flatFee)',
])

function asOwner(
  address: `0x${string}`,
  abi: readonly unknown[],
  name: string,
  args: unknown[] = [],
) {
  return send(world, 1, callOf(owner, address, abi, name, args))
}

function deposit(
  token: 'USDC' | 'USDG',
  units: string,
  minimumMint = 0n,
  receiver = first.address,
) {
  const amount = parseUnits(units, 6)
  const asset = tokens[token]
  return depositInto(world, {
    user: first,
    deployment: prime,
    asset,
    amount,
    minimumMint,
    receiver,
  })
}

function kyt(isAsked: boolean) {
  return asOwner(depositor, depositorOperatorAbi, 'setKytStatus', [tokens.USDG, isAsked])
}

function cap(amount: bigint) {
  return asOwner(depositor, depositorOperatorAbi, 'setSupplyCapInBase', [amount])
}

async function updateRate(rate: string) {
  await worldClient(world, 1).increaseTime({ seconds: 60 })
  return asOwner(accountant, accountantOperatorAbi, 'updateExchangeRate', [parseEther(rate)])
}

type OrderOptions = {
  receiver?: `0x${string}`
  refundReceiver?: `0x${string}`
  want?: 'USDC' | 'USDT'
  by?: typeof first
  queue?: `0x${string}` | undefined
  functionName?: 'submitOrderAndProcessAll'
}

async function order(shares: string, options: OrderOptions = {}): Promise<Receipt> {
  const { want = 'USDC', by = first, queue: address, ...rest } = options
  const deployment = address ? { ...prime, current: { ...prime.current, queue: address } } : prime
  const { receipt } = await submitWithdrawal(world, {
    user: by,
    deployment,
    wantAsset: tokens[want],
    shares: parseEther(shares),
    ...rest,
  })
  return receipt
}

function cancel(index: bigint, by = first, address = queue) {
  return send(world, 1, callOf(by, address, withdrawQueueAbi, 'cancelOrder', [index]))
}

function processOrders(count: bigint, address = queue) {
  return asOwner(address, withdrawQueueAbi, 'processOrders', [count])
}

function passOn(index: bigint) {
  const args = [second.address, third.address, index]
  return send(world, 1, callOf(second, queue, queueOperatorAbi, 'transferFrom', args))
}

/** From here on, neither the token nor the vault can pay it. */
async function castOut() {
  await send(world, 1, callOf(minter, tokens.USDC, blacklistAbi, 'blacklist', [outcast.address]))
  const frozen = [outcast.address, true]
  await asOwner(prime.hook ?? zeroAddress, freezeHookOperatorAbi, 'setFrozen', frozen)
}

function bulkWithdraw(shares: string) {
  const args = [tokens.USDC, parseEther(shares), 0n, first.address]
  return send(world, 1, callOf(first, teller, tellerAbi, 'bulkWithdraw', args))
}

function lock(seconds = 86_400n) {
  return asOwner(teller, tellerOperatorAbi, 'setShareLockPeriod', [seconds])
}

function moveShares(amount: bigint) {
  return send(world, 1, callOf(first, prime.vault, erc20Abi, 'transfer', [second.address, amount]))
}

async function depositByA() {
  const amount = parseUnits('5', 6)
  const address = names.depositorA ?? zeroAddress
  await send(world, 1, callOf(first, tokens.USDG, tokenAbi, 'approve', [address, amount]))
  const args = [tokens.USDG, amount, 0n, first.address, '0x']
  return send(world, 1, callOf(first, address, depositorAAbi, 'deposit', args))
}

/** A depositor and a queue of generation A with the newest teller, as in the recording. */
async function addGenerationA() {
  const { authority } = prime
  names.depositorA = await create(world, 'DistributorCodeDepositorA', [
    owner.address,
    authority,
    teller,
    zeroAddress,
  ])
  const feeModule = await create(world, 'SimpleFeeModule', [10n])
  const terms = { teller, feeModule, feeRecipient: feeRecipient.address, minimumOrderSize: 1n }
  names.queueA = await create(world, 'WithdrawQueueA', ['A', 'A', owner.address, authority, terms])
  await setRole(world, names.depositorA, 'depositor')
  await setRole(world, names.queueA, 'solver')
  const open = (target: `0x${string}`, selector: string) =>
    asOwner(authority, authorityAbi, 'setPublicCapability', [target, selector, true])
  for (const selector of PUBLIC_FUNCTIONS.depositor.A) await open(names.depositorA, selector)
  for (const selector of PUBLIC_FUNCTIONS.queue) await open(names.queueA, selector)
}
