import { type Address, concat, domainSeparator, type Hex, hashStruct, keccak256 } from 'viem'
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

/** By chain and station: half of the digest's time would go into hashing the domain anew. */
const separators = new Map<string, Hex>()

function separatorOf(quote: TransitQuote, source: TransitChain): Hex {
  const key = `${source.chainId}:${source.station}`
  const known = separators.get(key)
  if (known) return known
  const { domain } = quoteTypedData(quote, source)
  const separator = domainSeparator({ domain })
  separators.set(key, separator)
  return separator
}

/** The order id of a quote: its EIP-712 digest, which the quote signer signs. */
export function quoteOrderId(quote: TransitQuote, source: TransitChain): Hex {
  const struct = hashStruct({ data: quote, primaryType: 'Quote', types })
  return keccak256(concat(['0x1901', separatorOf(quote, source), struct]))
}
