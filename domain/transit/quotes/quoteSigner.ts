import type { Address, Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { QuotePrincipal } from '../signing/routeCapacity.ts'
import type { SigningPolicy } from '../signing/signingPolicy.ts'
import type { TransitChain } from '../transitChains.ts'
import { quoteOrderId, type TransitQuote } from './quoteTypedData.ts'

/** Signs any quote. A key management service can implement it. Only `guardSigner` may hold one. */
export type QuoteSigner = {
  /** The address that a station must have as its `quoteSigner`. Lower case. */
  address: Address
  /** 65 bytes r, s, v with v 27 or 28, for the station on the source chain. */
  sign(quote: TransitQuote, source: TransitChain): Promise<Hex>
}

/** The signer of a private key that this process holds. */
export function privateKeyQuoteSigner(privateKey: Hex): QuoteSigner {
  const account = privateKeyToAccount(privateKey)
  return {
    address: account.address.toLowerCase() as Address,
    sign: (quote, source) => account.sign({ hash: quoteOrderId(quote, source) }),
  }
}

/** Signs the quotes that the signing policy admits; throws the policy's error for others. */
export type GuardedQuoteSigner = {
  isGuarded: true
  address: Address
  /** Like `QuoteSigner`, for the account that the quote counts for. */
  sign(quote: TransitQuote, source: TransitChain, principal: QuotePrincipal): Promise<Hex>
}

/** The only way to a signature for the rest of the service. */
export function guardSigner(signer: QuoteSigner, policy: SigningPolicy): GuardedQuoteSigner {
  return {
    isGuarded: true,
    address: signer.address,
    async sign(quote, source, principal) {
      await policy.admit(quote, source, principal)
      return signer.sign(quote, source)
    },
  }
}
