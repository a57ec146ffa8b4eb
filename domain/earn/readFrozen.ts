import type { Address, PublicClient } from 'viem'
import { freezeHookAbi, vaultAbi } from '../../abis/vault.ts'
import { mustRead, tryRead } from '../chain/gatheredReads.ts'
import type { KnownAddresses } from '../chain/knownAddresses.ts'
import { ServiceError } from '../error/serviceError.ts'
import { checksummed } from '../token/checksummed.ts'
import type { EarnDeployment } from './deployments.ts'

/** Those of the accounts that the hook of a vault's shares has frozen: nothing moves to or from them. */
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
      // A hook of another kind freezes nobody.
      const read = (account: Address) => tryRead(client, { ...call, args: [account] })
      const frozen = await Promise.all(accounts.map(read))
      return accounts.filter((_, index) => frozen[index] === true)
    },
  )
}

/** Throws `ACCOUNT_FROZEN` for the first parameter whose account is frozen. */
export function refuseFrozen(frozen: Address[], accounts: Record<string, Address>): void {
  for (const [field, account] of Object.entries(accounts))
    if (frozen.includes(account)) {
      const description = 'the vault has frozen this account: its shares cannot move'
      throw new ServiceError('ACCOUNT_FROZEN', `${field}: ${description}`, {
        metadata: { account: checksummed(account) },
        fieldViolations: [{ field, description }],
      })
    }
}
