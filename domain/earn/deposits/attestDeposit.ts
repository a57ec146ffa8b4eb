import { type Address, encodeFunctionData, toHex, zeroAddress } from 'viem'
import { attestationRegistryAbi } from '../../../abis/attestationRegistry.ts'
import { depositorAAbi } from '../../../abis/depositor.ts'
import { unlessRefused } from '../../chain/revert.ts'
import type { EarnServices } from '../earnContext.ts'
import type { EarnDeployment } from '../vaults/deployments.ts'
import { AttestationUnavailableError } from './attestationProvider.ts'
import type { DepositConditions } from './depositConditions.ts'
import type { Refused } from './depositVerdict.ts'
import type { Attestation, DepositCall } from './prepareDeposit.ts'

/** Passed when no attestation is needed: the depositor accepts any then. */
export const NO_ATTESTATION: Attestation = {
  uuid: '',
  expiration: 0n,
  attester: zeroAddress,
  signature: '0x',
}

export type DepositToAttest = {
  deployment: EarnDeployment
  sender: Address
  call: Omit<DepositCall, 'attestation' | 'permit'>
  kyt: DepositConditions['kyt']
}

/**
 * The provider's attestation of a deposit that needs one, checked by the registry, which checks it again on chain.
 * Throws `RPC_UNAVAILABLE`.
 */
export async function attestDeposit(
  context: Pick<EarnServices, 'addressBook' | 'attestations' | 'chains'>,
  { deployment, sender, call, kyt }: DepositToAttest,
): Promise<{ kind: 'attested'; attestation: Attestation } | Refused> {
  if (!kyt) return { kind: 'attested', attestation: NO_ATTESTATION }
  const { chainId, depositor } = deployment
  const { attestations } = context
  if (!attestations) return unattestable()
  // The statement has the five-argument form, whichever function the transaction calls.
  const data = encodeFunctionData({
    abi: depositorAAbi,
    functionName: 'deposit',
    args: [call.asset, call.amount, call.minimumMint, call.to, call.distributorCode],
  })
  const chain = context.addressBook.chains.find(({ id }) => id === chainId)?.attestationName
  const attestation = await attestations
    .attest({ chain: chain ?? String(chainId), from: sender, to: depositor, data })
    .catch((error) => {
      if (error instanceof AttestationUnavailableError) return error
      throw error
    })
  if (attestation instanceof AttestationUnavailableError) return unavailable(attestation)
  if (!attestation) return { kind: 'refused', refusal: { because: 'ATTESTATION_REFUSED' } }
  const statement = {
    uuid: attestation.uuid,
    msgSender: sender,
    target: depositor,
    msgValue: 0n,
    encodedSigAndArgs: data,
    policy: kyt.policyId,
    expiration: attestation.expiration,
  }
  const validation = encodeFunctionData({
    abi: attestationRegistryAbi,
    functionName: 'validateAttestation',
    args: [statement, attestation],
  })
  const answer = await context.chains.read(chainId, (client) =>
    unlessRefused(client.call({ account: depositor, to: kyt.registry, data: validation })),
  )
  // Only the whole word 1 is consent: no data, or false, is none.
  if (answer?.data !== toHex(1n, { size: 32 }))
    return unavailable(new Error(`registry ${kyt.registry} does not accept ${attestation.uuid}`))
  return { kind: 'attested', attestation }
}

/** The refusal of a deposit that needs an attestation where no provider is configured. */
export function unattestable(): Refused {
  return unavailable(new Error('no attestation provider is configured'))
}

function unavailable(cause: unknown): Refused {
  return { kind: 'refused', refusal: { because: 'ATTESTATION_UNAVAILABLE', cause } }
}
