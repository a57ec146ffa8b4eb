import { z } from 'zod'

/** A checksummed or lower-case address in the file; always lower case once parsed. */
export const addressField = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/, 'expected 0x and 40 hex characters')
  .transform((value) => value.toLowerCase() as `0x${string}`)

export const blockNumberField = z.number().int().nonnegative()
export const sourceField = z.string().min(1).optional().describe('where these facts come from')
