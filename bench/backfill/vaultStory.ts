import { type Abi, type AbiEvent, type Address, getAddress, type Hex, zeroAddress } from 'viem'
import { accountantAbi } from '../../abis/accountant.ts'
import { depositorAbi } from '../../abis/depositor.ts'
import { tellerAbi } from '../../abis/teller.ts'
import { vaultAbi } from '../../abis/vault.ts'
import { withdrawQueueAbi } from '../../abis/withdrawQueue.ts'
import { encodeEvent } from '../../test/support/encodeEvent.ts'
import type { SeededRandom } from '../../test/support/seededRandom.ts'

/** One log that a contract is to emit. */
export type Saying = { emitter: Address; topics: Hex[]; data: Hex }

const CONTRACTS = {
  vault: vaultAbi,
  teller: tellerAbi,
  accountant: accountantAbi,
  depositor: depositorAbi,
  queue: withdrawQueueAbi,
} satisfies Record<string, Abi>
type Contract = keyof typeof CONTRACTS

const at = (digit: string) => getAddress(`0x${digit.repeat(40)}`)
/** Where each contract of the one vault is. */
export const PLACES: Record<Contract, Address> = {
  ...{ vault: at('a'), teller: at('b'), accountant: at('c') },
  ...{ depositor: at('d'), queue: at('e') },
}
const ASSET = at('f')
const CODE_HASH: Hex = `0x${'c5'.repeat(32)}`
const USERS = 5_000

/**
 * What happens to a vault, deed by deed, as its contracts tell it: of ten deeds six are transfers, two
 * are deposits, and one each a withdrawal that is submitted and one that is paid; now and then the
 * rate changes.
 */
export function* vaultStory(random: SeededRandom): Generator<Saying[]> {
  const { queue } = PLACES
  const amountOf = () => BigInt(random.integer(1, 1_000_000))
  const user = () => getAddress(`0x${random.integer(1, USERS).toString(16).padStart(40, '1')}`)
  const waiting: { orderIndex: bigint; receiver: Address; amount: bigint }[] = []
  let [orders, nonce, rate] = [0n, 0n, 1_000_000n]
  for (;;) {
    const deed = random.integer(1, 1_000)
    const [account, amount] = [user(), amountOf()]
    if (deed > 998) {
      const oldRate = rate
      rate += BigInt(random.integer(-100, 150))
      yield [say('accountant', 'ExchangeRateUpdated', { oldRate, newRate: rate, currentTime: 0n })]
    } else if (deed > 900 && waiting.length > 0) {
      const order = waiting.shift()
      if (order) yield payment(order)
    } else if (deed > 800) {
      orders += 1n
      waiting.push({ orderIndex: orders, receiver: account, amount })
      yield [
        transfer(account, queue, amount),
        say('queue', 'Transfer', { from: zeroAddress, to: account, tokenId: orders }),
        say('queue', 'OrderSubmitted', {
          ...{ orderIndex: orders, order: orderOf(amount, account), receiver: account },
          ...{ depositor: account, isSubmittedViaSignature: false },
        }),
      ]
    } else if (deed > 600) {
      nonce += 1n
      yield deposit(account, amount, nonce)
    } else yield [transfer(account, user(), amount)]
  }
}

function deposit(user: Address, amount: bigint, nonce: bigint): Saying[] {
  const { depositor } = PLACES
  return [
    transfer(zeroAddress, depositor, amount),
    say('teller', 'Deposit', {
      ...{ nonce, receiver: depositor, depositAsset: ASSET, depositAmount: amount },
      ...{ shareAmount: amount, depositTimestamp: 0n, shareLockPeriodAtTimeOfDeposit: 0n },
    }),
    transfer(depositor, user, amount),
    say('depositor', 'DepositWithDistributorCode', {
      ...{ depositor: user, depositAsset: ASSET, depositAmount: amount, feeAmount: 0n },
      ...{ minimumMint: 0n, to: user, depositHash: CODE_HASH, distributorCode: '0x' },
    }),
  ]
}

type Order = { orderIndex: bigint; receiver: Address; amount: bigint }

function payment({ orderIndex, receiver, amount }: Order): Saying[] {
  const { queue } = PLACES
  return [
    say('queue', 'Transfer', { from: receiver, to: zeroAddress, tokenId: orderIndex }),
    transfer(queue, zeroAddress, amount),
    say('vault', 'Exit', { to: receiver, asset: ASSET, amount, from: queue, shares: amount }),
    say('teller', 'BulkWithdraw', { asset: ASSET, shareAmount: amount }),
    say('queue', 'OrderProcessed', {
      ...{ orderIndex, order: orderOf(amount, receiver), receiver, isForceProcessed: false },
      ...{ feeAmount: 0n, assetsOut: amount },
    }),
  ]
}

function orderOf(amountOffer: bigint, refundReceiver: Address) {
  return {
    ...{ amountOffer, wantAsset: ASSET, refundReceiver, orderType: 0 },
    ...{ didOrderFailTransfer: false, didOrderFailRefund: false },
  }
}

function transfer(from: Address, to: Address, amount: bigint): Saying {
  return say('vault', 'Transfer', { from, to, amount })
}

function say(contract: Contract, name: string, values: Record<string, unknown>): Saying {
  const event = (CONTRACTS[contract] as Abi).find(
    (item): item is AbiEvent => item.type === 'event' && item.name === name,
  )
  if (!event) throw new Error(`Invariant(say): ${contract} has no event ${name}`)
  return { emitter: PLACES[contract], ...encodeEvent(event, values) }
}
