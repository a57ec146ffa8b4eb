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
  const abi = rolesAuthorityAbi
  const granted = known.follow(
    `authority:${chainId}:${target}`,
    () => mustRead(client, { address: target, abi, functionName: 'authority' }),
    async (authority) => {
      if (authority === null) return false
      const asked = { address: authority, abi } as const
      return caller === null
        ? mustRead(client, {
            ...asked,
            functionName: 'isCapabilityPublic',
            args: [target, selector],
          })
        : mustRead(client, { ...asked, functionName: 'canCall', args: [caller, target, selector] })
    },
  )
  if (caller === null) return granted
  const [isGranted, owner] = await Promise.all([
    granted,
    mustRead(client, { address: target, abi, functionName: 'owner' }),
  ])
  return isGranted || owner.toLowerCase() === caller
}
