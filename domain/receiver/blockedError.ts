import type { Address } from 'viem'
import { ServiceError } from '../error/serviceError.ts'
import { checksummed } from '../token/checksummed.ts'

/** An account that cannot do its part, with the parameter that names it. */
export type BlockedAccount = {
  field: string
  account: Address
  why: 'vault' | 'token' | 'sanctions'
}

const WHY = {
  vault: 'The vault has frozen this account: its shares cannot move',
  sanctions: 'This account is on the list of sanctions of the chain: it would not get the shares',
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
