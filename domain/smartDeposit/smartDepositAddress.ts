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
import type { BookFactory } from '../addressBook/factories.ts'

/** The inputs of a smart deposit address, besides the factory. */
export type SmartDepositKey = {
  userDestinationAddress: Address
  vaultAddress: Address
  inputToken: Address
  chainId: number
} & Customer

/** An organization's customer, which has smart deposit addresses of its own. */
export type Customer = {
  /** 1 to 256 of `a-zA-Z0-9_-`; null for none. */
  customerId: string | null
  /** Null without a customer: another organization has another address for its customer of this id. */
  organizationId: string | null
}

/** A factory and the implementation of its proxies. */
export type SmartDepositFactory = Omit<BookFactory, 'startBlock'>

/** The factory's `customer`: the keccak256 of organization and customer, zero for none. */
export function customerHash({ customerId, organizationId }: Customer): Hex {
  if (customerId === null || organizationId === null) return zeroHash
  return keccak256(toHex(`${organizationId}:${customerId}`))
}

/**
 * The address for a user, vault, token, chain and customer: the CREATE2 address of the factory's minimal
 * proxy for them, which is the same before and after its creation. Of generation B, it is the same on every chain.
 */
export function smartDepositAddress(
  { address: from, implementation, generation }: SmartDepositFactory,
  key: SmartDepositKey,
): Address {
  const { userDestinationAddress, vaultAddress, inputToken, chainId } = key
  const parties = encodeAbiParameters(
    [{ type: 'address' }, { type: 'address' }, { type: 'address' }],
    [userDestinationAddress, vaultAddress, inputToken],
  )
  const terms = concatHex([parties, numberToHex(chainId, { size: 32 })])
  const salt = keccak256(concatHex([terms, customerHash(key)]))
  // An account of generation B exists on other chains than its vault's, so it must know that one.
  const bytecode = proxyCode(implementation, generation === 'A' ? parties : terms)
  return getContractAddress({ opcode: 'CREATE2', from, salt, bytecode })
}

/** ERC-1167 with arguments behind it, as OpenZeppelin's `Clones` writes it. */
function proxyCode(implementation: Address, args: Hex): Hex {
  const deployedSize = 0x2d + size(args)
  return concatHex([
    ...(['0x61', numberToHex(deployedSize, { size: 2 })] as const),
    '0x3d81600a3d39f3363d3d373d3d3d363d73',
    implementation,
    '0x5af43d82803e903d91602b57fd5bf3',
    args,
  ])
}
