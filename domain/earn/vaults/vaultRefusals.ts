import type { Address } from 'viem'
import { refusedField, ServiceError } from '../../error/serviceError.ts'
import { checksummed } from '../../token/checksummed.ts'
import type { EarnDeployment } from './deployments.ts'

/** `VAULT_PAUSED`: the vault cannot do this now. `words` complete a sentence that begins with the vault. */
export function vaultPaused({ chainId, vault }: EarnDeployment, words: string) {
  return new ServiceError(
    'VAULT_PAUSED',
    `The vault ${checksummed(vault)} of chain ${chainId} ${words}`,
    {
      metadata: { chainId: String(chainId), vault: checksummed(vault) },
      retryAfterSeconds: 30,
    },
  )
}

/** `VAULT_NOT_CONNECTED`: a contract of the vault lacks the role to call the next one. */
export function vaultNotConnected(
  { chainId, vault }: EarnDeployment,
  contract: 'depositor' | 'queue',
) {
  return new ServiceError(
    'VAULT_NOT_CONNECTED',
    `The ${contract} of the vault ${checksummed(vault)} of chain ${chainId} may not use it now: a role is missing`,
    {
      metadata: { chainId: String(chainId), vault: checksummed(vault) },
      retryAfterSeconds: 30,
    },
  )
}

/** `RPC_UNAVAILABLE`: the contracts of the vault do not answer. */
export function vaultSilent({ chainId, vault }: EarnDeployment) {
  return new ServiceError(
    'RPC_UNAVAILABLE',
    `The vault ${checksummed(vault)} of chain ${chainId} does not say what it takes`,
    { retryAfterSeconds: 5 },
  )
}

/** `VAULT_DEPRECATED`: the deployment takes no deposits any more. */
export function vaultDeprecated({ chainId, vault }: EarnDeployment) {
  const description = 'this deployment is deprecated: it takes no deposits any more'
  return refusedField('VAULT_DEPRECATED', {
    field: 'vaultAddress',
    description,
    metadata: { vault: checksummed(vault), chainId: String(chainId) },
  })
}

/** The error for an asset that cannot be deposited into the vault, or withdrawn from it. */
export function assetRefusal(
  reason: 'ASSET_NOT_DEPOSITABLE' | 'ASSET_NOT_WITHDRAWABLE',
  field: string,
  asset: Address,
) {
  const verb = reason === 'ASSET_NOT_DEPOSITABLE' ? 'deposited into' : 'withdrawn from'
  const description = `this asset cannot be ${verb} this vault`
  return refusedField(reason, { field, description, metadata: { asset: checksummed(asset) } })
}
