import { type Address, zeroAddress } from 'viem'
import type { FieldViolation } from '../error/serviceError.ts'

/** More than the supply of any token. Above it the contracts' own arithmetic may overflow. */
const MOST = 2n ** 128n

/** The violation of an amount that is zero or too large; empty if no amount is given. */
export function refuseAmount(field: string, value: bigint | undefined): FieldViolation[] {
  if (value !== undefined && value >= MOST)
    return [{ field, description: 'expected less than 2^128' }]
  return refuseZero(field, value)
}

/** The violation of an amount or account that is zero; empty if none is given. */
export function refuseZero(field: string, value: bigint | Address | undefined): FieldViolation[] {
  if (value === 0n) return [{ field, description: 'expected more than 0' }]
  if (value === zeroAddress)
    return [{ field, description: 'expected an account, not the zero address' }]
  return []
}
