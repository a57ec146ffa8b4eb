import type { Address, Hex } from 'viem'
import { type PreparedCall, prepareCall } from '../../call/preparedCall.ts'
import type { Permit } from '../../token/permit.ts'

/** A signed statement that a deposit is allowed; the vault's registry checks it. */
export type Attestation = { uuid: string; expiration: bigint; attester: Address; signature: Hex }

export type DepositCall = {
  depositor: Address
  asset: Address
  /** Units of the asset. */
  amount: bigint
  /** Shares. */
  minimumMint: bigint
  to: Address
  distributorCode: Hex
  /** Null for generation A, which has none. */
  attestation: Attestation | null
  permit: Permit | null
}

/** The call that deposits, in the form of the depositor's generation, with a permit if there is one. */
export function prepareDeposit(call: DepositCall): PreparedCall {
  const { attestation, permit } = call
  const functionName = permit ? 'depositWithPermit' : 'deposit'
  const contract = attestation ? 'depositor' : 'depositorA'
  const args = [
    call.asset,
    call.amount,
    call.minimumMint,
    call.to,
    call.distributorCode,
    ...(attestation ? [attestation] : []),
    ...(permit ? [permit.deadline, permit.v, permit.r, permit.s] : []),
  ]
  return prepareCall({ to: call.depositor, value: 0n }, `${contract}.${functionName}`, args)
}
