import type { Address, Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { TransitChain } from '../transitChains.ts'
import { quoteTypedData, type TransitQuote } from './quoteTypedData.ts'

/** Signs the quotes that this service computes. A key management service can implement it. */
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
    sign: (quote, source) => account.signTypedData(quoteTypedData(quote, source)),
  }
}
