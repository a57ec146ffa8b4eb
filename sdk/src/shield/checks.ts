import type { Address, Hash, Hex } from 'viem'
import { type OpenBook, stationOf, tokenOf, vaultOf } from './book.ts'
import type { Intent, SpendingIntent, WithdrawIntent } from './intent.ts'
import { must, mustBe } from './shieldError.ts'
import type { VaultNode } from './vaultRate.ts'

/** A transaction before it is signed, and the chain that the wallet is on. */
export type CallToCheck = { chainId: number; to: Address; value: bigint; data?: string | undefined }

/** A permit as it was signed. */
export type SignedPermit = { permitSignature: Hex; permitDeadline: bigint }

/** What the checks know besides the call and the user's words. */
export type CheckOptions = {
  /** The user's node of the chain, for the vault's rate. */
  node?: VaultNode | undefined
  /** The id that the API gives the order. */
  orderId?: Hash | undefined
  /** The permit that the call has to contain, if one was signed. */
  permit?: SignedPermit | undefined
  /** Whether the call may be the approval that the intent needs. False for the transaction of the intent itself. Default: true. */
  mayApprove?: boolean | undefined
  /** Unix seconds. Default: the clock of this machine. */
  now?: number | undefined
}

/** One sentence: what signing does. */
export type Checked = { ok: string }

/** All that a check gets. */
export type Checking<Wanted extends Intent = Intent> = {
  book: OpenBook
  intent: Wanted
  call: CallToCheck
  options: CheckOptions
}

/** By how much the clock of the user may be wrong. */
const CLOCK_SECONDS = 300

export function nowOf({ now = Date.now() / 1_000 }: CheckOptions): number {
  return now
}

/** Throws `BAD_DEADLINE` for a deadline that is past, or later than the book allows. */
export function requireDeadline(book: OpenBook, deadline: bigint, options: CheckOptions): void {
  const now = nowOf(options)
  const seconds = Number(deadline)
  const isOpen =
    seconds > now - CLOCK_SECONDS && seconds < now + book.maxDeadlineSeconds + CLOCK_SECONDS
  must(isOpen, 'BAD_DEADLINE', `the deadline ${deadline} is past, or later than the book allows`)
}

/** Throws unless the call goes to this contract on this chain, with at most so many native coins. */
export function requirePlace(
  { call }: Pick<Checking, 'call'>,
  expected: { chainId: number; contract: Address; maxValue?: bigint },
): void {
  const { chainId, contract, maxValue = 0n } = expected
  must(
    call.chainId === chainId,
    'WRONG_CHAIN',
    `the call is on chain ${call.chainId}, expected ${chainId}`,
  )
  mustBe(call.to, contract, 'WRONG_CONTRACT', 'the called contract')
  must(
    call.value >= 0n && call.value <= maxValue,
    'VALUE_TOO_HIGH',
    `the call sends ${call.value} wei, at most ${maxValue} are needed`,
  )
}

/** Throws `MINIMUM_TOO_LOW` for the user of a minimum that the queue, which promises none, would pay. */
export function requireMayWait({ minimumAssets, mayWait = false }: WithdrawIntent): void {
  must(
    minimumAssets === undefined || mayWait,
    'MINIMUM_TOO_LOW',
    `the queue does not promise ${minimumAssets} assets: give mayWait to take its rate of the day`,
  )
}

export type Spending = {
  chainId: number
  token: Address
  symbol: string
  decimals: number
  amount: bigint
  spender: Address
  /** The spender in words. */
  taker: string
}

/** The token that an intent lets a contract take, and the contract. */
export function spendingOf(book: OpenBook, intent: SpendingIntent): Spending {
  if (intent.kind === 'withdraw') {
    requireMayWait(intent)
    const { chainId, vaultAddress: token, shareAmount: amount } = intent
    const { name, decimals, queue: spender } = vaultOf(book, chainId, token)
    const symbol = `shares of ${name}`
    return { chainId, token, symbol, decimals, amount, spender, taker: `the queue of ${name}` }
  }
  if (intent.kind === 'deposit') {
    const { chainId, vaultAddress, depositAsset: token, depositAmount: amount } = intent
    const { name, depositor: spender } = vaultOf(book, chainId, vaultAddress)
    const { symbol, decimals } = tokenOf(book, chainId, token)
    return { chainId, token, symbol, decimals, amount, spender, taker: `the depositor of ${name}` }
  }
  const { chainId, asset: token } =
    intent.kind === 'transit'
      ? { chainId: intent.sourceChainId, asset: intent.offerAsset }
      : intent.from
  const { address: spender } = stationOf(book, chainId)
  const { symbol, decimals } = tokenOf(book, chainId, token)
  const { offerAmount: amount } = intent
  return { chainId, token, symbol, decimals, amount, spender, taker: 'the transit station' }
}
