import type { Answer } from './checkedParts.ts'

/** More bytes than a hash has: calldata or a signature. Whoever reads it can put a missing 0x before it. */
const CALLDATA = /(?:0x)?[0-9a-f]{65,}/gi
/** The digits of the greatest amount. */
const AMOUNT = /^\d{1,78}$/
const LEFT_OUT = 'left out, because it was not checked'

/** An answer without what a wallet could be asked to sign. A report of a revert loses the data of an unknown error too. */
export function withoutSignables(answer: Answer): Answer {
  return Object.fromEntries(
    Object.entries(answer).map(([name, value]) => [shortened(name), without(value)]),
  )
}

function without(value: unknown): unknown {
  if (typeof value === 'string') return shortened(value)
  if (Array.isArray(value)) return value.map(without)
  if (typeof value !== 'object' || value === null) return value
  const isTransaction = 'to' in value && ('data' in value || 'input' in value || 'value' in value)
  const isTypedData = 'domain' in value || 'primaryType' in value
  return isTransaction || isTypedData ? LEFT_OUT : withoutSignables(value as Answer)
}

function shortened(text: string): string {
  return text.replace(CALLDATA, (found) => {
    if (AMOUNT.test(found)) return found
    const { length } = found.replace(/^0x/i, '')
    return `(${Math.ceil(length / 2)} bytes, ${LEFT_OUT})`
  })
}
