import type { Hex } from 'viem'
import { z } from 'zod'

/** The order of secp256k1 (SEC 2): a private key is a number from 1 to below it. */
const ORDER = 0xffffffff_ffffffff_ffffffff_fffffffe_baaedce6_af48a03b_bfd25e8c_d0364141n

/** A private key as 0x and 64 hex digits. No message repeats it. */
export const privateKey = z
  .string()
  .regex(/^0x[0-9a-fA-F]{64}$/, {
    error: 'expected a private key: 0x and 64 hex digits',
    abort: true,
  })
  .refine(
    (text) => BigInt(text) > 0n && BigInt(text) < ORDER,
    'is no private key: expected a number from 1 to below the order of secp256k1',
  )
  .transform((text) => text as Hex)
