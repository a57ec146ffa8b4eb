import type { Hex } from 'viem'
import { hexToBytes, keccak256 } from 'viem/utils'

/** The parts of a log that its block's bloom filter contains. */
type FilteredLog = { address: Hex; topics: readonly Hex[] }

const BYTES = 256
/** Each value sets three bits. */
const BITS = [0, 2, 4]

/** The bloom filter of a block with these logs. */
export function bloomOf(logs: readonly FilteredLog[]): Uint8Array {
  const bloom = new Uint8Array(BYTES)
  const values = new Set(logs.flatMap(({ address, topics }) => [address, ...topics]))
  for (const value of values) {
    const hash = keccak256(value, 'bytes')
    for (const at of BITS) {
      const bit = (((hash[at] ?? 0) << 8) | (hash[at + 1] ?? 0)) % (BYTES * 8)
      const index = BYTES - 1 - (bit >> 3)
      bloom[index] = (bloom[index] ?? 0) | (1 << (bit & 7))
    }
  }
  return bloom
}

/** Whether logs set all bits of a block's bloom filter. If they do not, some are missing. Other logs may set more. */
export function explainsBloom(bloom: Hex, logs: readonly FilteredLog[]): boolean {
  const set = bloomOf(logs)
  return hexToBytes(bloom).every((byte, index) => (byte & ~(set[index] ?? 0)) === 0)
}
