import type { Address, PublicClient } from 'viem'
import { freezeHookAbi, vaultAbi } from '../../../abis/vault.ts'
import { mustRead, tryRead } from '../../chain/gatheredReads.ts'
import type { KnownAddresses } from '../../chain/knownAddresses.ts'
import type { EarnDeployment } from './deployments.ts'

/** The accounts that the hook of a vault's shares has frozen: no shares move to or from them. */
export async function readFrozen(
  client: PublicClient,
  known: KnownAddresses,
  { chainId, vault }: EarnDeployment,
  accounts: Address[],
): Promise<Address[]> {
  return known.follow(
    `hook:${chainId}:${vault}`,
    () => mustRead(client, { address: vault, abi: vaultAbi, functionName: 'hook' }),
    async (hook) => {
      if (hook === null) return []
      const call = { address: hook, abi: freezeHookAbi, functionName: 'freezeList' } as const
      // A hook of another kind has no list of frozen accounts.
      const read = (account: Address) => tryRead(client, { ...call, args: [account] })
      const frozen = await Promise.all(accounts.map(read))
      return accounts.filter((_, index) => frozen[index] === true)
    },
  )
}
