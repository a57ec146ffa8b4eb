import { type Address, concat, domainSeparator, type Hex, hashStruct, keccak256 } from 'viem'
import { oncePer } from '../../cache/oncePer.ts'
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
  return { domain: domainOf(source), types, primaryType: 'Quote', message: quote } as const
}

function domainOf({ chainId, station }: TransitChain) {
  return { name: 'TransitStation', version: '1', chainId, verifyingContract: station } as const
}

/** Half of the digest's time would go into hashing the domain anew. */
const separatorOf = oncePer((source: TransitChain) => domainSeparator({ domain: domainOf(source) }))

/** The order id of a quote: its EIP-712 digest, which the quote signer signs. */
export function quoteOrderId(quote: TransitQuote, source: TransitChain): Hex {
  const struct = hashStruct({ data: quote, primaryType: 'Quote', types })
  return keccak256(concat(['0x1901', separatorOf(source), struct]))
}
