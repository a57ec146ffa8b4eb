import type { Address } from 'viem'
import { type OpenBook, requireCurrent, tokenOf, vaultOf } from './book.ts'
import { type Checked, type CheckOptions, nowOf } from './checks.ts'
import { requireDepositAddress } from './depositAddress.ts'
import type { DepositAddressIntent } from './intent.ts'
import { onChain } from './sentence.ts'

/**
 * Checks that a smart deposit address follows from its inputs. Throws `ShieldError`.
 *
 * @example
 * const inputs = { ...vault, inputToken: USDC, userDestinationAddress: account.address }
 * checkDepositAddress(book, { kind: 'depositAddress', ...inputs }, address)
 */
export function checkDepositAddress(
  book: OpenBook,
  intent: DepositAddressIntent,
  address: Address,
  options: CheckOptions = {},
): Checked {
  requireCurrent(book, nowOf(options))
  requireDepositAddress(book, intent, address)
  const { chainId, vaultAddress, inputToken, userDestinationAddress: to } = intent
  const { name } = vaultOf(book, chainId, vaultAddress)
  const { symbol } = tokenOf(book, chainId, inputToken)
  return {
    ok: `${symbol} that is paid to ${address} ${onChain(book, chainId)} is deposited into ${name}, paid back, or sent to the recovery wallet. ${to} gets the shares, and what is paid back.`,
  }
}
