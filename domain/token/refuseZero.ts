import { type Address, zeroAddress } from 'viem'
import type { FieldViolation } from '../error/serviceError.ts'

/** The violation of an amount or an account that is zero; none of one that is not given. */
export function refuseZero(field: string, value: bigint | Address | undefined): FieldViolation[] {
  if (value === 0n) return [{ field, description: 'expected more than 0' }]
  if (value === zeroAddress)
    return [{ field, description: 'expected an account, not the zero address' }]
  return []
}
