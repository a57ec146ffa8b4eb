/** Why the shield refuses. The list is closed: branch on it, never on the message. */
export type ShieldReason =
  /** The client has no book, and is not told to trust the server. */
  | 'NO_BOOK'
  /** The book is signed by none of the pinned keys, for another environment, or older than one that the app has. */
  | 'BOOK_NOT_SIGNED'
  | 'BOOK_EXPIRED'
  /** A chain, token or vault of the user's words is not in the book. */
  | 'NOT_IN_BOOK'
  | 'WRONG_CHAIN'
  | 'WRONG_CONTRACT'
  /** A function that is not prepared by this service, or not for these words. */
  | 'UNKNOWN_FUNCTION'
  /** Bytes that are not the only encoding of their arguments, or left over. */
  | 'MALFORMED_CALL'
  | 'WRONG_ACCOUNT'
  | 'WRONG_TOKEN'
  | 'WRONG_AMOUNT'
  | 'WRONG_DESTINATION'
  | 'WRONG_RECEIVER'
  | 'WRONG_REFUND_RECEIVER'
  | 'WRONG_SPENDER'
  | 'ALLOWANCE_TOO_HIGH'
  /** Native coins beyond the bound of the message fee. */
  | 'VALUE_TOO_HIGH'
  /** Less would arrive than the user agreed to. */
  | 'TERMS_WORSE'
  /** Another integrator fee, its receiver, or another distributor code. */
  | 'WRONG_FEE'
  | 'BAD_DEADLINE'
  /** Fewer shares or assets at least than the vault's own rate gives. */
  | 'MINIMUM_TOO_LOW'
  /** The order's id is not the digest of the quote. */
  | 'WRONG_ORDER_ID'
  /** The quote is signed by a key that is none of the station's. */
  | 'WRONG_SIGNER'
  /** The permit is not for this token, or not of the five known fields. */
  | 'WRONG_PERMIT'
  /** The deposit address does not follow from its inputs. */
  | 'WRONG_ADDRESS'
  | 'WRONG_REQUEST'
  /** A check needs the user's node, and none is given. */
  | 'NODE_NEEDED'
  /** A deposit by the shares wanted needs the most that may be paid. */
  | 'LIMIT_NEEDED'

/**
 * A refusal before the wallet is asked: signing would not do what the user agreed to.
 *
 * @example
 * if (error instanceof ShieldError) console.log(error.reason)
 */
export class ShieldError extends Error {
  override readonly name = 'ShieldError'
  readonly reason: ShieldReason

  constructor(reason: ShieldReason, message: string) {
    super(message)
    this.reason = reason
  }
}

/** Throws unless the condition holds. */
export function must(condition: boolean, reason: ShieldReason, message: string): asserts condition {
  if (!condition) throw new ShieldError(reason, message)
}

/** Throws unless two addresses are the same. */
export function mustBe(actual: string, expected: string, reason: ShieldReason, what: string): void {
  must(isSame(actual, expected), reason, `${what} is ${actual}, expected ${expected}`)
}

/** Whether two addresses or hashes are the same, in whatever case. */
export function isSame(left: string, right: string): boolean {
  return left.toLowerCase() === right.toLowerCase()
}
