import {
  type Address,
  concatHex,
  encodeAbiParameters,
  getContractAddress,
  type Hex,
  keccak256,
  toHex,
  zeroHash,
} from 'viem'
import { chainOf, type OpenBook, tokenOf, vaultOf } from './book.ts'
import type { DepositAddressIntent } from './intent.ts'
import { isSame, must } from './shieldError.ts'

const PARTIES = [{ type: 'address' }, { type: 'address' }, { type: 'address' }] as const

/**
 * The smart deposit addresses of these inputs, one per factory of the book. Throws `NOT_IN_BOOK`.
 *
 * @example
 * const inputs = { ...vault, inputToken: USDC, userDestinationAddress: account.address }
 * const [first] = depositAddresses(book, { kind: 'depositAddress', ...inputs })
 */
export function depositAddresses(book: OpenBook, intent: DepositAddressIntent): Address[] {
  const { chainId, vaultAddress, inputToken, userDestinationAddress } = intent
  vaultOf(book, chainId, vaultAddress)
  tokenOf(book, chainId, inputToken)
  const parties = [userDestinationAddress, vaultAddress, inputToken] as const
  const salt = keccak256(
    encodeAbiParameters(
      [...PARTIES, { type: 'uint256' }, { type: 'bytes32' }],
      [...parties, BigInt(chainId), customerOf(intent)],
    ),
  )
  const args = encodeAbiParameters(PARTIES, parties)
  return chainOf(book, chainId).smartDepositFactories.map(({ factory: from, implementation }) =>
    getContractAddress({
      opcode: 'CREATE2',
      from,
      salt,
      bytecode: proxyCode(implementation, args),
    }),
  )
}

/** Throws `WRONG_ADDRESS` unless one of the book's factories gives these inputs this address. */
export function requireDepositAddress(
  book: OpenBook,
  intent: DepositAddressIntent,
  address: Address,
): void {
  const isOurs = depositAddresses(book, intent).some((one) => isSame(one, address))
  must(isOurs, 'WRONG_ADDRESS', `the deposit address ${address} does not follow from its inputs`)
}

function customerOf({ customerId, organizationId }: DepositAddressIntent): Hex {
  if (!customerId) return zeroHash
  return keccak256(toHex(`${organizationId}:${customerId}`))
}

/** ERC-1167 with the three addresses behind it, 0x2d and 96 bytes long. */
function proxyCode(implementation: Address, args: Hex): Hex {
  const [before, after] = [
    '0x61008d3d81600a3d39f3363d3d373d3d3d363d73',
    '0x5af43d82803e903d91602b57fd5bf3',
  ] as const
  return concatHex([before, implementation, after, args])
}
