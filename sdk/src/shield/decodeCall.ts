import { type DecodeAbiParametersReturnType, decodeAbiParameters, encodeAbiParameters } from 'viem'
import { preparedFunctions } from '../generated/preparedFunctions.ts'
import { must, ShieldError } from './shieldError.ts'

export type PreparedFunction = keyof typeof preparedFunctions

export type ArgumentsOf<Name extends PreparedFunction> = DecodeAbiParametersReturnType<
  (typeof preparedFunctions)[Name]['inputs']
>

/** A call of a function that the API prepares. */
export type DecodedCall = {
  [Name in PreparedFunction]: { name: Name; args: ArgumentsOf<Name> }
}[PreparedFunction]

const SELECTOR_LENGTH = 10
/** Hex characters of 4 kB, which is above every call that the API prepares. A longer one only costs gas. */
const MOST_CHARACTERS = 2 + 2 * 4_096
const CALLDATA = /^0x([0-9a-f]{2}){4,}$/

/**
 * Decodes calldata strictly. The arguments are encoded again, and every byte must be the same: nothing is left over, and
 * nothing is hidden in padding or by offsets. Throws `UNKNOWN_FUNCTION` or `MALFORMED_CALL`.
 */
export function decodeCall(given: string): DecodedCall {
  must(given.length <= MOST_CHARACTERS, 'MALFORMED_CALL', 'the calldata is longer than 4 kB')
  const data = given.toLowerCase()
  must(CALLDATA.test(data), 'MALFORMED_CALL', 'the calldata is not 0x and whole bytes')
  const selector = data.slice(0, SELECTOR_LENGTH)
  const found = Object.entries(preparedFunctions).find(([, one]) => one.selector === selector)
  if (!found) throw new ShieldError('UNKNOWN_FUNCTION', `no function has the selector ${selector}`)
  const [name, { inputs }] = found
  const encoded = `0x${data.slice(SELECTOR_LENGTH)}` as const
  const args = canonical(inputs, encoded)
  must(args !== null, 'MALFORMED_CALL', `the arguments of ${name} are not encoded as they must be`)
  return { name, args } as DecodedCall // The entry has the inputs of its name.
}

/** Whether calldata calls this function. */
export function isCallOf(name: PreparedFunction, data = '0x'): boolean {
  return data.toLowerCase().startsWith(preparedFunctions[name].selector)
}

/** The arguments, or null if the bytes are not their encoding. */
function canonical(
  inputs: (typeof preparedFunctions)[PreparedFunction]['inputs'],
  encoded: `0x${string}`,
): readonly unknown[] | null {
  try {
    const args = decodeAbiParameters(inputs as readonly { type: string }[], encoded)
    const again = encodeAbiParameters(inputs as readonly { type: string }[], args)
    return again === encoded ? args : null
  } catch {
    return null
  }
}
