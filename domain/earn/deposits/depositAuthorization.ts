import type { Address } from 'viem'
import { invalidFields, refusedField } from '../../error/serviceError.ts'
import {
  type Authorization,
  detectAuthorization,
  type PermitData,
} from '../../token/detectAuthorization.ts'
import { refuseZero } from '../../token/refuseZero.ts'
import type { EarnContext } from '../earnContext.ts'
import { getDeployment } from '../vaults/deployments.ts'
import { assetRefusal } from '../vaults/vaultRefusals.ts'
import { shareAuthorization } from '../withdrawals/shareAuthorization.ts'

export type DepositAuthorizationParams = {
  vaultAddress: Address
  /** The vault itself for its shares: then the queue is to take them. */
  tokenAddress: Address
  /** Base units of the token. */
  amount: bigint
  userAddress: Address
  chainId: number
  /** For shares only: the asset to withdraw. */
  wantAsset?: Address | undefined
  prefer?: AuthorizationPreference | undefined
}

/** The step to offer where both would work. By default the permit. */
export type AuthorizationPreference = 'permit' | 'approval'

/** The best way that works for this token and user. */
export type DepositAuthorization = { spenderAddress: Address } & (
  | { method: 'permit'; permitData: PermitData }
  | { method: 'approval'; approvalTransaction: { encoded: string; requiresFollowUp: boolean } }
  | { method: 'already_approved' }
)

/** The violations in the given parameters. */
export function depositAuthorizationViolations(params: Partial<DepositAuthorizationParams>) {
  return [...refuseZero('amount', params.amount), ...refuseZero('userAddress', params.userAddress)]
}

/**
 * How a user can let a vault's depositor spend an amount, or its queue an amount of its shares. Throws `VAULT_NOT_FOUND`,
 * `ASSET_NOT_WITHDRAWABLE` as `shareAuthorization` does, `ASSET_NOT_DEPOSITABLE` for an asset that the vault does not list, `APPROVAL_REFUSED` if the token refuses
 * every approval of this user, and as `detectAuthorization` does.
 */
export async function depositAuthorization(
  context: Pick<EarnContext, 'chains' | 'addressBook' | 'settings' | 'knownAddresses'>,
  params: DepositAuthorizationParams,
): Promise<DepositAuthorization> {
  const violations = depositAuthorizationViolations(params)
  if (violations.length > 0) throw invalidFields(violations)
  const { vaultAddress, wantAsset: _, prefer = 'permit', ...request } = params
  const deployment = getDeployment(context.addressBook, params.chainId, vaultAddress)
  if (params.tokenAddress === vaultAddress)
    return preferred(await shareAuthorization(context, deployment, params), prefer)
  const { depositor, assets } = deployment
  if (!assets.some(({ address }) => address === params.tokenAddress))
    throw assetRefusal('ASSET_NOT_DEPOSITABLE', 'tokenAddress', params.tokenAddress)
  const found = await detectAuthorization(context, { ...request, spenderAddress: depositor })
  return preferred(found, prefer)
}

/** The best way of those that would work. Throws `APPROVAL_REFUSED` where there is none. */
export function preferred(
  { spenderAddress, alreadyApproved, methods }: Authorization,
  prefer: AuthorizationPreference,
): DepositAuthorization {
  if (alreadyApproved) return { spenderAddress, method: 'already_approved' }
  const approvals = methods.filter(({ type }) => type === 'erc20_approve')
  const [best] = prefer === 'approval' ? approvals : methods
  if (!best) {
    const description = 'this token lets this user approve nothing'
    throw refusedField('APPROVAL_REFUSED', { field: 'tokenAddress', description })
  }
  if (best.type === 'eip2612_permit')
    return { spenderAddress, method: 'permit', permitData: best.permitData }
  const { transaction, requiresFollowUp } = best
  return {
    spenderAddress,
    method: 'approval',
    approvalTransaction: { ...transaction, requiresFollowUp },
  }
}
