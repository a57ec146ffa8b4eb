import type { Address, Hex } from 'viem'
import type { components } from '../generated/api.ts'
import { type OpenBook, requireCurrent } from './book.ts'
import {
  type CallToCheck,
  type Checked,
  type CheckOptions,
  nowOf,
  requireDeadline,
  requirePlace,
  type Spending,
  spendingOf,
} from './checks.ts'
import type { ArgumentsOf } from './decodeCall.ts'
import type { SpendingIntent } from './intent.ts'
import { inWords, onChain } from './sentence.ts'
import { isSame, must, mustBe } from './shieldError.ts'

type PermitData = components['schemas']['PermitData']

const PERMIT_TYPES = {
  Permit: [
    { name: 'owner', type: 'address' },
    { name: 'spender', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'nonce', type: 'uint256' },
    { name: 'deadline', type: 'uint256' },
  ],
} as const

/** The typed data of a permit, made of checked values and our own types. */
export type PermitToSign = {
  domain: PermitData['domain']
  types: typeof PERMIT_TYPES
  primaryType: 'Permit'
  message: { owner: Address; spender: Address; value: bigint; nonce: bigint; deadline: bigint }
}

/**
 * Checks a permit (EIP-2612) for an intent. Returns the typed data to sign with the sentence. Throws `ShieldError`.
 *
 * @example
 * const { ok, typedData } = checkPermit(book, intent, permitData)
 */
export function checkPermit(
  book: OpenBook,
  intent: SpendingIntent,
  { domain, types, value: given, deadline: shown }: PermitData,
  options: CheckOptions = {},
): Checked & { typedData: PermitToSign } {
  requireCurrent(book, nowOf(options))
  const spending = spendingOf(book, intent)
  const { chainId, token, amount, spender } = spending
  must(
    JSON.stringify(types) === JSON.stringify(PERMIT_TYPES),
    'WRONG_PERMIT',
    'the permit has other fields than EIP-2612',
  )
  must(
    domain.chainId === chainId,
    'WRONG_CHAIN',
    `the permit is for chain ${domain.chainId}, expected ${chainId}`,
  )
  mustBe(String(domain.verifyingContract), token, 'WRONG_PERMIT', "the permit's token")
  mustBe(given.owner, intent.account, 'WRONG_ACCOUNT', "the permit's owner")
  mustBe(given.spender, spender, 'WRONG_SPENDER', "the permit's spender")
  requireAllowance(given.value, amount)
  must(
    given.deadline === shown,
    'BAD_DEADLINE',
    'the permit has another deadline than the API shows',
  )
  requireDeadline(book, given.deadline, options)
  const { value, nonce, deadline } = given
  return {
    ok: allowed(book, spending),
    typedData: {
      domain,
      types: PERMIT_TYPES,
      primaryType: 'Permit',
      message: { owner: intent.account, spender, value, nonce, deadline },
    },
  }
}

/** Checks the approval of an intent's token, or its reset to 0. */
export function checkApproval(
  checking: { book: OpenBook; call: CallToCheck },
  intent: SpendingIntent,
  [spender, amount]: ArgumentsOf<'token.approve'>,
): Checked {
  const { book } = checking
  const spending = spendingOf(book, intent)
  const { chainId, token, symbol } = spending
  requirePlace(checking, { chainId, contract: token })
  mustBe(spender, spending.spender, 'WRONG_SPENDER', 'the spender')
  if (amount === 0n)
    return {
      ok: `Take back the allowance of ${spending.taker} for ${symbol} ${onChain(book, chainId)}.`,
    }
  requireAllowance(amount, spending.amount)
  return { ok: allowed(book, spending) }
}

/** The permit in a call has to be the one that the user has signed. Throws `WRONG_PERMIT`. */
export function requirePermit(
  { permit }: CheckOptions,
  [deadline, v, r, s]: readonly [bigint, number, Hex, Hex],
): void {
  const isSigned =
    permit !== undefined &&
    permit.permitDeadline === deadline &&
    isSame(permit.permitSignature.slice(0, -2), r + s.slice(2)) &&
    Number(`0x${permit.permitSignature.slice(-2)}`) % 27 === v % 27
  must(isSigned, 'WRONG_PERMIT', 'the call has another permit than the one that was signed')
}

function requireAllowance(actual: bigint, amount: bigint): void {
  must(actual <= amount, 'ALLOWANCE_TOO_HIGH', `${actual} would be allowed, ${amount} are needed`)
  must(actual === amount, 'WRONG_AMOUNT', `${actual} would be allowed, ${amount} are needed`)
}

function allowed(book: OpenBook, spending: Spending): string {
  const { chainId, amount, taker } = spending
  return `Let ${taker} take ${inWords(amount, spending)} ${onChain(book, chainId)}.`
}
