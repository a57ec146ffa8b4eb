import type { Address, Hex, LocalAccount } from 'viem'
import { quoteOrderId, type TransitQuote } from '../terms/quoteTypedData.ts'
import type { TransitChain } from '../transitChains.ts'
import type { QuotePrincipal } from './routeCapacity.ts'
import type { SigningPolicy } from './signingPolicy.ts'

/** Signs any quote. Only `guardSigner` may hold one. */
export type QuoteSigner = {
  /** The address that a station must have as its `quoteSigner`. Lower case. */
  address: Address
  /** 65 bytes r, s, v with v 27 or 28, for the station on the source chain. Throws `SignerUnavailableError`. */
  sign(quote: TransitQuote, source: TransitChain): Promise<Hex>
}

/** The signer of an account, whose key is here or in a key management service. */
export function accountQuoteSigner(account: LocalAccount): QuoteSigner {
  const { sign } = account
  if (!sign) throw new Error(`The account ${account.address} signs no hashes`)
  return {
    address: account.address.toLowerCase() as Address,
    sign: (quote, source) => sign({ hash: quoteOrderId(quote, source) }),
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
