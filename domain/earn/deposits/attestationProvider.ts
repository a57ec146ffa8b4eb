import { type Address, type Hex, maxUint256 } from 'viem'
import { z } from 'zod'
import { ServiceError } from '../../error/serviceError.ts'
import type { Attestation } from './prepareDeposit.ts'

type AttestationRequest = {
  /** As the provider names the chain. */
  chain: string
  /** Who will send the transaction, and to which contract. */
  from: Address
  to: Address
  /** The calldata that is attested, in the form that the registry's statement has. */
  data: Hex
}

/** Says whether an account may deposit, and signs it. */
export type AttestationProvider = {
  /** Null where it attests no such thing. Throws `ATTESTATION_UNAVAILABLE` without an answer in time. */
  attest(request: AttestationRequest): Promise<Attestation | null>
}

const TIMEOUT_MS = 2_600
const MOST_BYTES = 64 * 1024

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
      const body = JSON.stringify({ chain, from, to, data, msg_value: '0' })
      const answer = await ask(url, { apiKey, body }).catch((cause) => {
        throw unavailable(cause)
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

/** Why there is no attestation, to be asked for again. */
export function unavailable(cause: unknown) {
  return new ServiceError('ATTESTATION_UNAVAILABLE', 'No attestation can be had now', {
    retryAfterSeconds: 5,
    cause,
  })
}

async function ask(url: string, { apiKey, body }: { apiKey: string; body: string }) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
    body,
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  if (!response.ok) throw new Error(`the attestation provider answers ${response.status}`)
  return answerSchema.parse(JSON.parse(await readBody(response)))
}

async function readBody({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.length
    if (size > MOST_BYTES) throw new Error('the attestation provider answers too much')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}
