import { type Abi, type AbiEvent, type Address, getAddress, type Hex, zeroAddress } from 'viem'
import { feeModuleAbi } from '../../abis/feeModule.ts'
import { VAULT_ABIS } from '../../abis/generations.ts'
import { vaultAbi } from '../../abis/vault.ts'
import { encodeEvent } from './encodeEvent.ts'
import type { SeededRandom } from './seededRandom.ts'

/** One log that a contract emits. */
export type Saying = { emitter: Address; topics: Hex[]; data: Hex }

type Contract = 'vault' | 'teller' | 'accountant' | 'depositor' | 'queue' | 'feeModule'

/** The contracts of one vault, with their addresses and generations. */
export type VaultSite = {
  places: Record<Contract, Address>
  generation: 'A' | 'HEAD'
}

/** A site whose addresses all begin with the same two hex digits. */
export function vaultSite(digits: string, generation: VaultSite['generation'] = 'HEAD'): VaultSite {
  const at = (digit: string) => getAddress(`0x${digits}${digit.repeat(38)}`)
  return {
    generation,
    places: {
      vault: at('a'),
      teller: at('b'),
      accountant: at('c'),
      depositor: at('d'),
      queue: at('e'),
      feeModule: at('f'),
    },
  }
}

type Order = { orderIndex: bigint; receiver: Address; amount: bigint; isMarked: boolean }

const ASSETS = [getAddress(`0x${'f1'.repeat(20)}`), getAddress(`0x${'f2'.repeat(20)}`)] as const
const HASH: Hex = `0x${'c5'.repeat(32)}`
const RECOVERY = getAddress(`0x${'99'.repeat(20)}`)

/**
 * The events of a vault's contracts, step by step: mostly transfers, then deposits, and
 * withdrawal requests with all their endings. Each step is one transaction.
 */
export function* vaultStory(
  random: SeededRandom,
  site: VaultSite,
  users = 50,
): Generator<Saying[]> {
  const { places, generation } = site
  const say = sayer(site)
  const waiting: Order[] = []
  let [orders, nonce, rate] = [0n, 0n, 1_000_000n]
  const someone = () => getAddress(`0x${random.integer(1, users).toString(16).padStart(40, '1')}`)
  const some = () => BigInt(random.chance(0.03) ? 0 : random.integer(1, 1_000_000))
  const balances = new Map<Address, bigint>()

  /** No account sends more than its balance; sometimes all of it. */
  function gift(): { giver: Address; amount: bigint } {
    const giver = someone()
    const balance = balances.get(giver) ?? 0n
    if (random.chance(0.2)) return { giver, amount: balance }
    return { giver, amount: (balance * BigInt(random.integer(0, 99))) / 100n }
  }

  function transfer(from: Address, to: Address, amount: bigint): Saying {
    balances.set(from, (balances.get(from) ?? 0n) - amount)
    balances.set(to, (balances.get(to) ?? 0n) + amount)
    return say('vault', 'Transfer', { from, to, amount })
  }

  function deposit(): Saying[] {
    nonce += 1n
    const [user, amount] = [someone(), some()]
    const depositAsset = random.pick(ASSETS)
    return [
      transfer(zeroAddress, places.depositor, amount),
      say('vault', 'Enter', {
        from: places.depositor,
        asset: depositAsset,
        amount,
        to: places.depositor,
        shares: amount,
      }),
      say('teller', 'Deposit', {
        nonce,
        receiver: places.depositor,
        depositAsset,
        depositAmount: amount,
        shareAmount: amount,
        depositTimestamp: 0n,
        shareLockPeriodAtTimeOfDeposit: 0n,
      }),
      transfer(places.depositor, user, amount),
      say('depositor', 'DepositWithDistributorCode', {
        depositor: user,
        depositAsset,
        depositAmount: amount,
        feeAmount: 3n,
        minimumMint: 0n,
        to: user,
        depositHash: HASH,
        distributorCode: '0x',
      }),
    ]
  }

  function submit(): Saying[] {
    orders += 1n
    const { giver: user, amount } = gift()
    const order = { orderIndex: orders, receiver: someone(), amount, isMarked: false }
    const submitted = say('queue', 'OrderSubmitted', {
      orderIndex: orders,
      order: orderFields(order),
      receiver: order.receiver,
      depositor: user,
      isSubmittedViaSignature: random.chance(0.1),
    })
    const minted = receipt(zeroAddress, order.receiver, orders)
    waiting.push(order)
    // The receiver of the receipt may act before the queue emits the submission.
    const meanwhile = random.chance(0.1) ? [...passOn(order), ...mark(order)] : []
    return [transfer(user, places.queue, amount), minted, ...meanwhile, submitted]
  }

  function passOn(order: Order): Saying[] {
    const heir = someone()
    const passed = receipt(order.receiver, heir, order.orderIndex)
    order.receiver = heir
    return [passed]
  }

  function mark(order: Order): Saying[] {
    if (order.isMarked) return []
    order.isMarked = true
    const { orderIndex } = order
    return [
      say('queue', 'OrderMarkedForRefund', { orderIndex, isMarkedByUser: random.chance(0.7) }),
    ]
  }

  function process(order: Order): Saying[] {
    const { orderIndex } = order
    const range = say('queue', 'OrdersProcessedInRange', {
      startIndex: orderIndex,
      endIndex: orderIndex,
    })
    if (order.isMarked) return [...refund(order, {}), range]
    // Only generation C has an event for a failed refund.
    const kinds = ['paid', 'paid', 'paid', 'transfer failed'] as const
    const later = ['refund failed', 'fees exceeded'] as const
    const kind = random.pick(generation === 'A' ? kinds : ([...kinds, ...later] as const))
    if (kind === 'paid') return [...pay(order, false), range]
    const failed = { didOrderFailTransfer: true, didOrderFailRefund: kind === 'refund failed' }
    if (kind === 'fees exceeded') {
      const fees = { orderIndex, amountOffer: order.amount, feeAmount: order.amount + 1n }
      return [...refund(order, {}), say('queue', 'FeesExceededOrderAmount', fees), range]
    }
    return [
      ...refund(order, failed),
      processed(order, { ...failed, isForceProcessed: false }),
      range,
    ]
  }

  function refund(
    order: Order,
    flags: { didOrderFailTransfer?: boolean; didOrderFailRefund?: boolean },
  ) {
    const { orderIndex, receiver, amount } = order
    const isLost = flags.didOrderFailRefund === true
    return [
      receipt(receiver, zeroAddress, orderIndex),
      transfer(places.queue, isLost ? RECOVERY : receiver, amount),
      isLost
        ? say('queue', 'OrderRefundFailed', {
            orderIndex,
            refundReceiver: receiver,
            recoveryAddress: RECOVERY,
          })
        : say('queue', 'OrderRefunded', { orderIndex, order: { ...orderFields(order), ...flags } }),
    ]
  }

  function pay(order: Order, isForceProcessed: boolean): Saying[] {
    const { orderIndex, receiver, amount } = order
    const fee = amount / 1_000n
    return [
      receipt(receiver, zeroAddress, orderIndex),
      ...exit(places.queue, receiver, amount - fee),
      transfer(places.queue, RECOVERY, fee),
      processed(order, { didOrderFailTransfer: false, isForceProcessed }),
    ]
  }

  function processed(order: Order, flags: { isForceProcessed: boolean } & Record<string, boolean>) {
    const { isForceProcessed, ...failures } = flags
    const { orderIndex, receiver, amount } = order
    return say('queue', 'OrderProcessed', {
      orderIndex,
      order: { ...orderFields(order), ...failures },
      receiver,
      isForceProcessed,
      feeAmount: amount / 1_000n,
      assetsOut: (amount * rate) / 1_000_000n,
    })
  }

  function exit(from: Address, to: Address, shares: bigint): Saying[] {
    const asset = random.pick(ASSETS)
    const amount = (shares * rate) / 1_000_000n
    return [
      transfer(from, zeroAddress, shares),
      say('vault', 'Exit', { to, asset, amount, from, shares }),
      say('teller', 'BulkWithdraw', { asset, shareAmount: shares }),
    ]
  }

  function direct(): Saying[] {
    const { giver, amount } = gift()
    return exit(giver, someone(), amount)
  }

  function passShares(): Saying {
    const { giver, amount } = gift()
    if (random.chance(0.03)) return transfer(giver, zeroAddress, amount)
    return transfer(giver, random.chance(0.05) ? giver : someone(), amount)
  }

  function receipt(from: Address, to: Address, tokenId: bigint): Saying {
    return say('queue', 'Transfer', { from, to, tokenId })
  }

  function setting(): Saying[] {
    const [token, value] = [random.pick(ASSETS), some()]
    const change = random.pick(['Paused', 'Unpaused'])
    if (generation === 'A') return [say(random.pick(['teller', 'accountant']), change, {})]
    return random.pick([
      [say(random.pick(['teller', 'accountant']), change, {})],
      [say('depositor', 'SupplyCapInBaseUpdated', { newSupplyCapInBase: value })],
      [say('depositor', 'FeeModuleUpdated', { newFeeModule: places.feeModule })],
      [say('feeModule', 'FeeDataUpdated', { token, feePercentage: 5n, flatFee: value })],
    ])
  }

  function newRate(): Saying[] {
    const oldRate = rate
    rate += BigInt(random.integer(-1_000, 1_500))
    return [say('accountant', 'ExchangeRateUpdated', { oldRate, newRate: rate, currentTime: 0n })]
  }

  for (;;) {
    const deed = random.integer(1, 1_000)
    const next = waiting[0]
    const any = waiting[random.integer(0, Math.max(waiting.length - 1, 0))]
    if (deed > 990) yield newRate()
    else if (deed > 985) yield setting()
    else if (deed > 960) yield direct()
    else if (deed > 940 && any) yield passOn(any)
    else if (deed > 925 && any && !any.isMarked) yield mark(any)
    else if (deed > 915 && any && !any.isMarked) {
      waiting.splice(waiting.indexOf(any), 1)
      yield pay(any, true)
    } else if (deed > 840 && next) {
      waiting.shift()
      yield process(next)
    } else if (deed > 740) yield submit()
    else if (deed > 600) yield deposit()
    else yield [passShares()]
  }
}

function orderFields({ amount, receiver }: Order) {
  return {
    amountOffer: amount,
    wantAsset: ASSETS[0],
    refundReceiver: receiver,
    orderType: 0,
    didOrderFailTransfer: false,
    didOrderFailRefund: false,
  }
}

function sayer({ places, generation }: VaultSite) {
  const isOld = generation === 'A'
  const abis: Record<Contract, Abi> = {
    vault: vaultAbi,
    teller: VAULT_ABIS.tellers[isOld ? 'A' : 'B'],
    accountant: VAULT_ABIS.accountants[isOld ? 'A' : 'B'],
    depositor: VAULT_ABIS.depositors[isOld ? 'A' : 'D'],
    queue: VAULT_ABIS.queues[isOld ? 'A' : 'C'],
    feeModule: feeModuleAbi,
  }
  return (contract: Contract, name: string, values: Record<string, unknown>): Saying => {
    const event = abis[contract].find(
      (item): item is AbiEvent => item.type === 'event' && item.name === name,
    )
    if (!event) throw new Error(`Invariant(sayer): ${contract} has no event ${name}`)
    return { emitter: places[contract], ...encodeEvent(event, values) }
  }
}

/** The site in the address book's form, from its first block on. */
export function siteInBook({ places, generation }: VaultSite, chainId: number) {
  const isOld = generation === 'A'
  const of = <Letter extends string>(address: Address, letter: Letter) => [
    { address, generation: letter, fromBlock: 0 },
  ]
  return {
    chainId,
    baseToken: ASSETS[0],
    assets: [],
    baseTokenStandIn: { symbol: 'BASE', decimals: 6 },
    vault: { address: places.vault, startBlock: 0 },
    tellers: of(places.teller, isOld ? 'A' : 'B'),
    accountants: of(places.accountant, isOld ? 'A' : 'B'),
    depositors: of(places.depositor, isOld ? 'A' : 'D'),
    queues: of(places.queue, isOld ? 'A' : 'C'),
    feeModules: isOld ? [] : [{ address: places.feeModule, fromBlock: 0 }],
  }
}
