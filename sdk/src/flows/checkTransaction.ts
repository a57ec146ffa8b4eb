import type { Address } from 'viem'
import type { Connection } from '../connection/connection.ts'
import { type OpenBook, openBook } from '../shield/book.ts'
import { checkCall } from '../shield/checkCall.ts'
import type { CheckOptions } from '../shield/checks.ts'
import type { Intent } from '../shield/intent.ts'
import { ShieldError } from '../shield/shieldError.ts'
import type { Wallets } from './wallets.ts'

/** A transaction as the API prepares it. Nothing else of its answer is sent. */
type Transaction = { to: Address; data?: string; value: bigint }

export type Prepared = {
  chainId: number
  transaction: Transaction
  /** Default: the wallet's own estimate. */
  gas?: bigint | null
}

declare const checked: unique symbol
/** A transaction that the shield has checked, or that comes from a server that the app trusts. */
export type CheckedTransaction = Transaction &
  Pick<Prepared, 'chainId' | 'gas'> & { readonly [checked]: true }

/** The connection's book; null where the app trusts the server. Throws `ShieldError`, also `NO_BOOK`. */
export async function bookOf({ shield }: Connection): Promise<OpenBook | null> {
  if (shield === 'trust-server') return null
  if (shield) return openBook(shield)
  const message =
    "nothing is signed without a book: give `shield`, or `shield: 'trust-server'` if the server may decide"
  throw new ShieldError('NO_BOOK', message)
}

/**
 * Checks a prepared transaction against the user's words. `onChecked` gets the sentence. An approval in its place is
 * refused, unless `mayApprove` is true. Throws `ShieldError`.
 */
export async function checkTransaction(
  connection: Connection,
  wallets: Wallets,
  {
    intent,
    chainId,
    transaction: { to, data, value },
    gas,
    mayApprove = false,
    ...rest
  }: Prepared & { intent: Intent } & CheckOptions,
): Promise<CheckedTransaction> {
  const book = await bookOf(connection)
  const { publicClient: node } = wallets
  const call = { chainId, to, value, ...(data === undefined ? {} : { data }) }
  const options = { node, mayApprove, ...rest }
  if (book) await wallets.onChecked?.(await checkCall(book, intent, call, options))
  return { ...call, gas } as CheckedTransaction // The only place that makes one.
}
