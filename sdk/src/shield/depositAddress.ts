import {
  type Address,
  concatHex,
  encodeAbiParameters,
  getContractAddress,
  type Hex,
  keccak256,
  numberToHex,
  size,
  toHex,
  zeroHash,
} from 'viem'
import { type BookFactory, chainOf, type OpenBook, tokenOf, vaultOf } from './book.ts'
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
  const { chainId, vaultAddress, inputToken } = intent
  vaultOf(book, chainId, vaultAddress)
  tokenOf(book, chainId, inputToken)
  return chainOf(book, chainId).smartDepositFactories.map((one) => depositAddressOf(one, intent))
}

/** The smart deposit address that a factory gives these inputs. */
export function depositAddressOf(
  { factory: from, implementation, generation = 'A' }: BookFactory,
  inputs: Omit<DepositAddressIntent, 'kind'>,
): Address {
  const { chainId, vaultAddress, inputToken, userDestinationAddress } = inputs
  const parties = encodeAbiParameters(PARTIES, [userDestinationAddress, vaultAddress, inputToken])
  const terms = concatHex([parties, numberToHex(chainId, { size: 32 })])
  const salt = keccak256(concatHex([terms, customerOf(inputs)]))
  // Accounts of generation B know the chain of their vault too.
  const bytecode = proxyCode(implementation, generation === 'A' ? parties : terms)
  return getContractAddress({ opcode: 'CREATE2', from, salt, bytecode })
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

/** The factory's `customer`: zero without one. */
export function customerOf({
  customerId,
  organizationId,
}: Pick<DepositAddressIntent, 'customerId' | 'organizationId'>): Hex {
  if (!customerId) return zeroHash
  return keccak256(toHex(`${organizationId}:${customerId}`))
}

/** ERC-1167 with arguments behind it. */
function proxyCode(implementation: Address, args: Hex): Hex {
  return concatHex([
    '0x61',
    numberToHex(0x2d + size(args), { size: 2 }),
    '0x3d81600a3d39f3363d3d373d3d3d363d73',
    implementation,
    '0x5af43d82803e903d91602b57fd5bf3',
    args,
  ])
}
