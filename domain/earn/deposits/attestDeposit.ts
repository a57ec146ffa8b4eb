import { type Address, encodeFunctionData, toHex, zeroAddress } from 'viem'
import { attestationRegistryAbi } from '../../../abis/attestationRegistry.ts'
import { depositorAAbi } from '../../../abis/depositor.ts'
import { unlessRefused } from '../../chain/revert.ts'
import type { ServiceContext } from '../../context.ts'
import { ServiceError } from '../../error/serviceError.ts'
import { checksummed } from '../../token/checksummed.ts'
import type { EarnDeployment } from '../vaults/deployments.ts'
import { unavailable } from './attestationProvider.ts'
import type { Attestation, DepositCall } from './prepareDeposit.ts'

/** What is passed where no attestation is asked for: any is taken then. */
export const NO_ATTESTATION: Attestation = {
  uuid: '',
  expiration: 0n,
  attester: zeroAddress,
  signature: '0x',
}

export type Attested = {
  deployment: EarnDeployment
  sender: Address
  call: Omit<DepositCall, 'attestation' | 'permit'>
  registry: Address
  policyId: string
}

/**
 * The provider's attestation of a deposit, tried on the registry, which would refuse it on chain.
 * Throws `ATTESTATION_REFUSED`, `ATTESTATION_UNAVAILABLE` or `RPC_UNAVAILABLE`.
 */
export async function attestDeposit(
  context: Pick<ServiceContext, 'addressBook' | 'attestations' | 'chains'>,
  { deployment, sender, call, registry, policyId }: Attested,
): Promise<Attestation> {
  const { chainId, depositor } = deployment
  if (!context.attestations) throw unavailable(new Error('no attestation provider is configured'))
  // The statement is of the five-argument form, whichever function is called.
  const data = encodeFunctionData({
    abi: depositorAAbi,
    functionName: 'deposit',
    args: [call.asset, call.amount, call.minimumMint, call.to, call.distributorCode],
  })
  const chain = context.addressBook.chains.find(({ id }) => id === chainId)?.attestationName
  const attestation = await context.attestations.attest({
    chain: chain ?? String(chainId),
    from: sender,
    to: depositor,
    data,
  })
  if (!attestation) throw refused(sender, call.to)
  const statement = {
    uuid: attestation.uuid,
    msgSender: sender,
    target: depositor,
    msgValue: 0n,
    encodedSigAndArgs: data,
    policy: policyId,
    expiration: attestation.expiration,
  }
  const validation = encodeFunctionData({
    abi: attestationRegistryAbi,
    functionName: 'validateAttestation',
    args: [statement, attestation],
  })
  const answer = await context.chains.read(chainId, (client) =>
    unlessRefused(client.call({ account: depositor, to: registry, data: validation })),
  )
  // True in a word of its own: nothing, or false, is no consent.
  if (answer?.data !== toHex(1n, { size: 32 }))
    throw unavailable(new Error(`registry ${registry} does not take ${attestation.uuid}`))
  return attestation
}

/** The provider does not say which of them it means. */
function refused(sender: Address, to: Address) {
  const fields = sender === to ? ['userAddress'] : ['userAddress', 'to']
  const description = 'the attestation provider does not let this account, or who gets the shares'
  return new ServiceError('ATTESTATION_REFUSED', 'This deposit is not attested', {
    metadata: { account: checksummed(sender), receiver: checksummed(to) },
    fieldViolations: fields.map((field) => ({ field, description })),
  })
}
