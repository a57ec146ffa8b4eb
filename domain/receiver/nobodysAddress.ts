import type { Address } from 'viem'

/** `count` addresses from `first` on. */
type Range = { first: bigint; count: bigint; what: string }

const only = (address: Address, what: string): Range => ({
  first: BigInt(address),
  count: 1n,
  what,
})

/** The first range that contains an address describes it. */
const RANGES: readonly Range[] = [
  only('0x0000000000000000000000000000000000000000', 'the zero address'),
  only('0x000000000000000000000000000000000000dead', 'an address for burnt tokens'),
  only('0xdead000000000000000042069420694206942069', 'an address for burnt tokens'),
  only('0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee', 'a sign for the native currency'),
  // Chains keep these low addresses for themselves (EIP-7587, RIPs, HyperEVM).
  { first: 0n, count: 1n << 16n, what: 'a precompiled contract' },
  // The OP Stack's contracts, and HyperEVM's gates to HyperCore, which credit the sender of a transfer.
  { first: 0x42n << 152n, count: 1n << 16n, what: 'a system contract' },
  { first: 0x20n << 152n, count: 1n << 64n, what: 'a system contract' },
  // HyperEVM's gate for its own coin.
  only('0x2222222222222222222222222222222222222222', 'a system contract'),
]

/** A description of an address whose key nobody has on any chain; undefined for any other address. */
export function nobodysAddress(address: Address): string | undefined {
  const value = BigInt(address)
  return RANGES.find(({ first, count }) => value >= first && value < first + count)?.what
}
