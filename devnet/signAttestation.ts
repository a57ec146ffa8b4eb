import { randomUUID } from 'node:crypto'
import {
  type Address,
  encodeAbiParameters,
  type Hex,
  keccak256,
  type LocalAccount,
  parseAbiParameters,
} from 'viem'
import { DEVNET_ACTORS } from './accounts.ts'

/** The subject of an attestation: one account's call of one contract. */
export type AttestedCall = {
  chainId: number
  /** The sender of the transaction. */
  from: Address
  /** The depositor. */
  to: Address
  /** Calldata of the five-argument deposit, whichever function is called. */
  data: Hex
  /** wei. */
  value: bigint
  policy: string
}

export type SignedAttestation = {
  uuid: string
  /** Unix seconds. */
  expiration: number
  attester: Address
  signature: Hex
}

const STATEMENT = parseAbiParameters(
  'uint256 chainId, string uuid, address msgSender, address target, uint256 msgValue, bytes encodedSigAndArgs, string policy, uint256 expiration',
)

/** The hash from which the registry recovers the attester: raw, without any prefix. */
export function statementHash(call: AttestedCall, uuid: string, expiration: number): Hex {
  const { chainId, from, to, value, data, policy } = call
  return keccak256(
    encodeAbiParameters(STATEMENT, [
      BigInt(chainId),
      uuid,
      from,
      to,
      value,
      data,
      policy,
      BigInt(expiration),
    ]),
  )
}

/** Signs as the attester that every local registry trusts, unless another is named. Valid for one use. */
export async function signAttestation(
  call: AttestedCall,
  expiration: number,
  attester: LocalAccount = DEVNET_ACTORS.attester,
): Promise<SignedAttestation> {
  if (!attester.sign) throw new Error('Invariant(signAttestation): a local account signs hashes')
  const uuid = randomUUID()
  const signature = await attester.sign({ hash: statementHash(call, uuid, expiration) })
  return { uuid, expiration, attester: attester.address, signature }
}
