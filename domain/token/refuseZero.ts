import { type Address, zeroAddress } from 'viem'
import type { FieldViolation } from '../error/serviceError.ts'

/** Above what any token has; in between lies what the contracts' own arithmetic cannot hold. */
const MOST = 2n ** 128n

/** The violation of an amount that is zero, or larger than any; none of one that is not given. */
export function refuseAmount(field: string, value: bigint | undefined): FieldViolation[] {
  if (value !== undefined && value >= MOST)
    return [{ field, description: 'expected less than 2^128' }]
  return refuseZero(field, value)
}

/** The violation of an amount or an account that is zero; none of one that is not given. */
export function refuseZero(field: string, value: bigint | Address | undefined): FieldViolation[] {
  if (value === 0n) return [{ field, description: 'expected more than 0' }]
  if (value === zeroAddress)
    return [{ field, description: 'expected an account, not the zero address' }]
  return []
}
