import type { Address, Hex, PublicClient } from 'viem'
import { rolesAuthorityAbi } from '../../abis/rolesAuthority.ts'
import { mustRead } from './gatheredReads.ts'
import type { KnownAddresses } from './knownAddresses.ts'

export type Capability = {
  chainId: number
  /** Null for everybody. */
  caller: Address | null
  target: Address
  /** 4 bytes. */
  selector: Hex
}

/** Whether an account may call a contract's function: by the contract's authority, or as its owner. */
export async function mayCall(
  client: PublicClient,
  known: KnownAddresses,
  { chainId, caller, target, selector }: Capability,
): Promise<boolean> {
  if (caller === null) return isPublic(client, known, { chainId, target, selector })
  const contract = { address: target, abi: rolesAuthorityAbi } as const
  const [isAllowed, owner] = await Promise.all([
    known.follow(
      `authority:${chainId}:${target}`,
      () => mustRead(client, { ...contract, functionName: 'authority' }),
      async (authority) =>
        authority !== null &&
        mustRead(client, {
          ...contract,
          address: authority,
          functionName: 'canCall',
          args: [caller, target, selector],
        }),
    ),
    mustRead(client, { ...contract, functionName: 'owner' }),
  ])
  return isAllowed || owner.toLowerCase() === caller
}

/** Whether everybody may call a contract's function. */
function isPublic(
  client: PublicClient,
  known: KnownAddresses,
  { chainId, target, selector }: Omit<Capability, 'caller'>,
): Promise<boolean> {
  const contract = { address: target, abi: rolesAuthorityAbi } as const
  return known.follow(
    `authority:${chainId}:${target}`,
    () => mustRead(client, { ...contract, functionName: 'authority' }),
    async (authority) =>
      authority !== null &&
      mustRead(client, {
        address: authority,
        abi: rolesAuthorityAbi,
        functionName: 'isCapabilityPublic',
        args: [target, selector],
      }),
  )
}
