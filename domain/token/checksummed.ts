import { createKeccak } from 'hash-wasm'
import type { Address } from 'viem'
import { countCache } from '../cache/countedCache.ts'
import { ADDRESS } from './addressText.ts'

const MOST_KEPT = 50_000
const kept = new Map<Address, Address>()
countCache('checksums', () => ({ size: kept.size, bound: MOST_KEPT }))

// In WebAssembly: viem's hash, in JavaScript, takes ten times as long, a tenth of an order's first read.
const keccak = await createKeccak(256)
/** Shared by all calls: none waits between writing and reading. */
const characters = Buffer.alloc('0x'.length + 40)
const CAPITAL = 'a'.charCodeAt(0) - 'A'.charCodeAt(0)
const DIGIT_9 = '9'.charCodeAt(0)

/**
 * The EIP-55 form of an address in any case. Cached in a plain map, because viem's own cache reorders itself at every hit:
 * 4 % of an order's read.
 */
export function checksummed(address: Address): Address {
  const known = kept.get(address)
  if (known) return known
  const checksum = eip55(address)
  if (kept.size >= MOST_KEPT) kept.clear()
  kept.set(address, checksum)
  return checksum
}

/** A letter is a capital where the digit of the hash at its place is above seven. */
function eip55(address: Address): Address {
  // A shorter text would get the end of the address before it.
  if (!ADDRESS.test(address)) throw new Error(`Invariant(checksummed): ${address} is no address`)
  characters.write(address.toLowerCase(), 'latin1')
  const hash = keccak.init().update(characters.subarray('0x'.length)).digest('binary')
  for (let place = 0; place < 40; place++) {
    const byte = hash[place >> 1] ?? 0
    const digit = place % 2 === 0 ? byte >> 4 : byte & 0xf
    const index = place + '0x'.length
    const character = characters[index] ?? 0
    if (digit > 7 && character > DIGIT_9) characters[index] = character - CAPITAL
  }
  return characters.toString('latin1') as Address
}
