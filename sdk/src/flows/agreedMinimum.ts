import { CausewayError } from '../error/causewayError.ts'

const BPS = 10_000n

/** The least amount that agreed terms allow, rounded up. By default 0.1 % less. */
export function agreedMinimum(agreed: bigint, maxSlippageBps = 10): bigint {
  return (agreed * (BPS - BigInt(maxSlippageBps)) + BPS - 1n) / BPS
}

type Terms = { quoted: bigint; offered: bigint; minimum: bigint }

/** Throws `TERMS_WORSE` if less is offered than the minimum of the quoted terms. */
export function requireTerms({ quoted, offered, minimum }: Terms): void {
  if (offered >= minimum) return
  throw new CausewayError({
    reason: 'TERMS_WORSE',
    metadata: { quoted, offered },
    message: `${offered} would arrive instead of ${quoted}: show the new terms and send again`,
  })
}
