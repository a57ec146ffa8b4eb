import type { Address, PublicClient } from 'viem'
import { freezeHookAbi, vaultAbi } from '../../../abis/vault.ts'
import { mustRead, tryRead } from '../../chain/gatheredReads.ts'
import type { KnownAddresses } from '../../chain/knownAddresses.ts'
import { ServiceError } from '../../error/serviceError.ts'
import { checksummed } from '../../token/checksummed.ts'
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

/** An account that cannot do its part, with the parameter that names it. */
export type BlockedAccount = { field: string; account: Address; why: 'vault' | 'token' }

const WHY = {
  vault: 'The vault has frozen this account: its shares cannot move',
  token: "The token's issuer has blocked this account: it can neither pay nor be paid",
}

/** One `ACCOUNT_FROZEN` that names the parameters of all blocked accounts. */
export function blockedError(
  first: BlockedAccount,
  others: readonly BlockedAccount[] = [],
): ServiceError {
  return new ServiceError('ACCOUNT_FROZEN', WHY[first.why], {
    metadata: { account: checksummed(first.account) },
    fieldViolations: [first, ...others].map(({ field, why }) => ({ field, description: WHY[why] })),
  })
}

type Blocked = Record<string, Omit<BlockedAccount, 'field'> | undefined>

/** Throws `blockedError` for the accounts that are blocked, by the parameter that names each. */
export function refuseBlocked(blocked: Blocked): void {
  const [first, ...others] = Object.entries(blocked).flatMap(([field, account]) =>
    account ? [{ field, ...account }] : [],
  )
  if (first) throw blockedError(first, others)
}
