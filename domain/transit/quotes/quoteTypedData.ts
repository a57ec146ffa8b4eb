import { type Address, type Hex, hashTypedData } from 'viem'
import type { TransitChain } from '../transitChains.ts'

/** A quote in the station's form; amounts in base units of the offer asset, `deadline` in Unix seconds. */
export type TransitQuote = {
  route: { destEID: number; offerAsset: Address; wantAsset: Address }
  offerAmount: bigint
  receiver: Address
  protocolFee: bigint
  integratorFee: bigint
  integratorFeeReceiver: Address
  distributorCode: Hex
  deadline: bigint
  salt: Hex
}

const types = {
  Route: [
    { name: 'destEID', type: 'uint32' },
    { name: 'offerAsset', type: 'address' },
    { name: 'wantAsset', type: 'address' },
  ],
  Quote: [
    { name: 'route', type: 'Route' },
    { name: 'offerAmount', type: 'uint256' },
    { name: 'receiver', type: 'address' },
    { name: 'protocolFee', type: 'uint256' },
    { name: 'integratorFee', type: 'uint256' },
    { name: 'integratorFeeReceiver', type: 'address' },
    { name: 'distributorCode', type: 'bytes32' },
    { name: 'deadline', type: 'uint256' },
    { name: 'salt', type: 'bytes32' },
  ],
} as const

/** The typed data that the quote signer signs, in the EIP-712 domain of the source chain's TransitStation. */
export function quoteTypedData(quote: TransitQuote, source: TransitChain) {
  return {
    domain: {
      name: 'TransitStation',
      version: '1',
      chainId: source.chainId,
      verifyingContract: source.station,
    },
    types,
    primaryType: 'Quote',
    message: quote,
  } as const
}

/** The order id of a quote: its EIP-712 digest. */
export function quoteOrderId(quote: TransitQuote, source: TransitChain): Hex {
  return hashTypedData(quoteTypedData(quote, source))
}
