import { refusedField, ServiceError } from '../../error/serviceError.ts'
import { type BlockedAccount, blockedError } from '../../receiver/blockedError.ts'
import { checksummed } from '../../token/checksummed.ts'
import type { EarnDeployment } from '../vaults/deployments.ts'
import {
  assetRefusal,
  vaultDeprecated,
  vaultNotConnected,
  vaultPaused,
} from '../vaults/vaultRefusals.ts'
import type { DepositParams } from './depositParams.ts'
import { type DepositRefusal, VAULT_PAUSES } from './depositVerdict.ts'

/** The error that reports a refusal to a client: its reason, message, metadata and fields. */
export function depositError(
  refusal: DepositRefusal,
  deployment: EarnDeployment,
  params: Pick<DepositParams, 'depositAsset' | 'userAddress' | 'to'>,
): ServiceError {
  switch (refusal.because) {
    case 'VAULT_DEPRECATED':
      return vaultDeprecated(deployment)
    case 'ASSET_NOT_DEPOSITABLE':
      return assetRefusal('ASSET_NOT_DEPOSITABLE', 'depositAsset', params.depositAsset)
    case 'PAYER_BLOCKED':
      return payerBlocked(refusal.isReceiverFrozen, params)
    case 'RECEIVER_FROZEN':
      return blockedError(frozenReceiver(params))
    case 'CALLER_NOT_ALLOWED':
    case 'TELLER_PAUSED':
    case 'ACCOUNTANT_PAUSED':
    case 'NO_RATE':
    case 'DEPOSITOR_FROZEN':
    case 'FEE_MODULE_REFUSES':
      return vaultPaused(deployment, VAULT_PAUSES[refusal.because])
    case 'VAULT_NOT_CONNECTED':
      return vaultNotConnected(deployment, 'depositor')
    case 'FEE_TAKES_ALL':
      return tooSmall(refusal.fee, 'its fee would take all of it')
    case 'MINTS_NO_SHARES':
      return tooSmall(refusal.fee, 'it would mint no share')
    case 'CAP_REACHED':
      return capReached(refusal)
    case 'ATTESTATION_REFUSED':
      return attestationRefused(params)
    case 'ATTESTATION_UNAVAILABLE':
      return new ServiceError('ATTESTATION_UNAVAILABLE', 'No attestation can be had now', {
        retryAfterSeconds: 5,
        cause: refusal.cause,
      })
  }
}

type Parties = Pick<DepositParams, 'userAddress' | 'to'>

/** A vault freezes shares only, so a frozen payer may pay for the shares of another account. */
function frozenReceiver({ userAddress, to }: Parties): BlockedAccount {
  return { field: to ? 'to' : 'userAddress', account: to ?? userAddress, why: 'vault' }
}

function payerBlocked(isReceiverFrozen: boolean, params: Parties) {
  const payer = { field: 'userAddress', account: params.userAddress, why: 'token' } as const
  const others = isReceiverFrozen && params.to ? [frozenReceiver(params)] : []
  return blockedError(payer, others)
}

function capReached({
  remainingInBase,
  supplyCapInBase,
}: Extract<DepositRefusal, { because: 'CAP_REACHED' }>) {
  const description = `more than the vault's supply cap leaves: ${remainingInBase} base units of its base token`
  return refusedField('SUPPLY_CAP_EXCEEDED', {
    field: 'depositAmount',
    description,
    message: `the deposit is ${description}`,
    metadata: {
      remainingInBase: String(remainingInBase),
      supplyCapInBase: String(supplyCapInBase),
    },
  })
}

function tooSmall(fee: bigint, description: string) {
  return refusedField('DEPOSIT_TOO_SMALL', {
    field: 'depositAmount',
    description,
    message: `the deposit is too small: ${description}`,
    metadata: { fee: String(fee) },
  })
}

/** Names both accounts: the provider does not report which of them it refuses. */
function attestationRefused({ userAddress, to = userAddress }: Parties) {
  const fields = userAddress === to ? ['userAddress'] : ['userAddress', 'to']
  const description = 'the attestation provider refuses this account, or the receiver of the shares'
  return new ServiceError('ATTESTATION_REFUSED', 'This deposit is not attested', {
    metadata: { account: checksummed(userAddress), receiver: checksummed(to) },
    fieldViolations: fields.map((field) => ({ field, description })),
  })
}
