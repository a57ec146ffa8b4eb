import type { Address, PublicClient } from 'viem'
import { freezeHookAbi, vaultAbi } from '../../../abis/vault.ts'
import { mustRead, tryRead } from '../../chain/gatheredReads.ts'
import type { KnownAddresses } from '../../chain/knownAddresses.ts'
import { ServiceError } from '../../error/serviceError.ts'
import { checksummed } from '../../token/checksummed.ts'
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

/** Accounts that cannot do their part, by the parameter that names them. */
export type Blocked = Record<string, { account: Address; why: 'vault' | 'token' } | undefined>

const WHY = {
  vault: 'the vault has frozen this account: its shares cannot move',
  token: "the token's issuer has blocked this account: it can neither pay nor be paid",
}

/** Throws one `ACCOUNT_FROZEN` that names every parameter whose account is blocked. */
export function refuseBlocked(blocked: Blocked): void {
  const found = Object.entries(blocked).flatMap(([field, one]) => (one ? [{ field, ...one }] : []))
  const [first] = found
  if (!first) return
  const violations = found.map(({ field, why }) => ({ field, description: WHY[why] }))
  throw new ServiceError('ACCOUNT_FROZEN', `${first.field}: ${WHY[first.why]}`, {
    metadata: { account: checksummed(first.account) },
    fieldViolations: violations,
  })
}
