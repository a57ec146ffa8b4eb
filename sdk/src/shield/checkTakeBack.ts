import { type Address, zeroAddress } from 'viem'
import { chainOf, type OpenBook } from './book.ts'
import { type Checked, type Checking, requirePlace } from './checks.ts'
import type { ArgumentsOf } from './decodeCall.ts'
import { customerOf, depositAddressOf } from './depositAddress.ts'
import type { TakeBackIntent } from './intent.ts'
import { onChain } from './sentence.ts'
import { isSame, must, mustBe, ShieldError } from './shieldError.ts'

/** Checks the request after whose delay the user can take back what lies at its address. */
export function checkTakeBackRequest(
  checking: Checking<TakeBackIntent>,
  [inputs]: ArgumentsOf<'depositFactory.requestWithdrawal'>,
): Checked {
  const { book, intent } = checking
  const from = requireAddress(checking, inputs)
  return {
    ok: `Ask the smart deposit address ${from} ${onChain(book, intent.chainId)} to give back what lies there. Nothing moves now: after the delay ${intent.account} can take it.`,
  }
}

/** Checks the call that takes all of a token. */
export function checkTakeBack(
  checking: Checking<TakeBackIntent>,
  [inputs, token]: ArgumentsOf<'depositFactory.withdraw'>,
): Checked {
  const { book, intent } = checking
  const from = requireAddress(checking, inputs)
  mustBe(token, intent.token, 'WRONG_TOKEN', 'the token')
  return {
    ok: `Take all ${nameOf(book, intent)} from the smart deposit address ${from} ${onChain(book, intent.chainId)}. ${intent.account} gets it.`,
  }
}

/** The address from which is taken. Throws unless it is the one of the user's words, at a factory of the book. */
function requireAddress(
  checking: Checking<TakeBackIntent>,
  given: ArgumentsOf<'depositFactory.requestWithdrawal'>[0],
): Address {
  const { book, call, intent } = checking
  const { chainId, account, inputs } = intent
  const factories = chainOf(book, chainId).smartDepositFactories.filter(
    ({ generation }) => generation === 'B',
  )
  const factory = factories.find((one) => isSame(one.factory, call.to)) ?? factories[0]
  if (!factory)
    throw new ShieldError(
      'NOT_IN_BOOK',
      `the book has no factory of one address on chain ${chainId}`,
    )
  requirePlace(checking, { chainId, contract: factory.factory })
  mustBe(given.destination, account, 'WRONG_ACCOUNT', 'the account that takes')
  const isIt =
    isSame(given.vault, inputs.vaultAddress) &&
    isSame(given.inputToken, inputs.inputToken) &&
    given.chainId === BigInt(inputs.chainId) &&
    isSame(given.customer, customerOf(inputs))
  must(isIt, 'WRONG_ADDRESS', 'the call takes from another address of the user')
  return depositAddressOf(factory, { ...inputs, userDestinationAddress: account })
}

/** A token of the book by its symbol. Any other can lie there too. */
function nameOf(book: OpenBook, { chainId, token }: TakeBackIntent): string {
  if (isSame(token, zeroAddress)) return 'coins'
  const known = book.tokens.find((one) => one.chainId === chainId && isSame(one.address, token))
  return known?.symbol ?? `of the token ${token}`
}
