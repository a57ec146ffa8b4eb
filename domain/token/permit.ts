import { type Hex, isHex, size, slice } from 'viem'
import type { FieldViolation } from '../error/serviceError.ts'

/** An EIP-2612 permit in its parts, v as 27 or 28; `deadline` in Unix seconds. */
export type Permit = { deadline: bigint; v: number; r: Hex; s: Hex }

/** A permit in request parameters: a 65-byte signature and its deadline in Unix seconds; both or neither. */
export type PermitParams = {
  permitSignature?: string | undefined
  permitDeadline?: number | undefined
}

/** The violations of a permit's signature; empty if none is given. */
export function permitViolations({ permitSignature }: PermitParams): FieldViolation[] {
  if (permitSignature === undefined || splitSignature(permitSignature)) return []
  const description = 'expected a signature of 65 bytes: 0x and 130 hex characters, ending in v'
  return [{ field: 'permitSignature', description }]
}

/** The permit of checked parameters, or null without one. */
export function permitOf({ permitSignature, permitDeadline }: PermitParams): Permit | null {
  const parts = permitSignature === undefined ? null : splitSignature(permitSignature)
  return parts && { ...parts, deadline: BigInt(permitDeadline ?? 0) }
}

/** The violation of a missing parameter of a pair that must be given together. */
export function pairViolations(
  pair: readonly [string, string],
  params: Record<string, unknown>,
): FieldViolation[] {
  const [lacking, ...others] = pair.filter((name) => params[name] === undefined)
  if (lacking === undefined || others.length > 0) return []
  const given = pair.find((name) => name !== lacking)
  return [{ field: lacking, description: `required together with ${given}` }]
}

/** A 65-byte signature in its parts, v as 27 or 28; null for anything else. */
function splitSignature(signature: string): { r: Hex; s: Hex; v: number } | null {
  if (!isHex(signature) || size(signature) !== 65 || signature.length !== 132) return null
  const last = Number(slice(signature, 64))
  const v = last < 27 ? last + 27 : last
  if (v !== 27 && v !== 28) return null
  return { r: slice(signature, 0, 32), s: slice(signature, 32, 64), v }
}
