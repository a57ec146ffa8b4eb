import { type Address, type Hex, maxUint256 } from 'viem'
import { z } from 'zod'
import { askProvider } from '../../provider/askProvider.ts'
import type { Attestation } from './prepareDeposit.ts'

type AttestationRequest = {
  /** The provider's name of the chain. */
  chain: string
  /** The sender of the transaction and the contract that it calls. */
  from: Address
  to: Address
  /** The calldata to attest, in the form that the registry's statement has. */
  data: Hex
}

/** Decides whether an account may deposit, and signs that. */
export type AttestationProvider = {
  /** Null if it refuses. Throws `AttestationUnavailableError` without a valid answer in time. */
  attest(request: AttestationRequest): Promise<Attestation | null>
}

/** The provider gave no answer that decides; the same request may succeed later. */
export class AttestationUnavailableError extends Error {
  override name = 'AttestationUnavailableError'
}

const hex = z.string().regex(/^0x([0-9a-fA-F]{2})*$/)
const answerSchema = z.discriminatedUnion('is_compliant', [
  z.object({ is_compliant: z.literal(false) }),
  z.object({
    is_compliant: z.literal(true),
    attestation: z.object({
      uuid: z.string().min(1),
      expiration: z.coerce.bigint().min(0n).max(maxUint256),
      attester: z.string().regex(/^0x[0-9a-fA-F]{40}$/),
      signature: hex,
    }),
  }),
])

/** A provider that speaks version 2 of Predicate's HTTP API. */
export function httpAttestationProvider(url: string, apiKey: string): AttestationProvider {
  return {
    async attest({ chain, from, to, data }) {
      const question = { chain, from, to, data, msg_value: '0' }
      const answer = await askProvider({ url, apiKey }, question, answerSchema).catch((cause) => {
        throw new AttestationUnavailableError('the attestation provider gives no answer', { cause })
      })
      if (!answer.is_compliant) return null
      const { uuid, expiration, attester, signature } = answer.attestation
      return {
        uuid,
        expiration,
        attester: attester.toLowerCase() as Address,
        signature: signature as Hex,
      }
    },
  }
}
