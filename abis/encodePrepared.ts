import { type AbiFunction, encodeFunctionData, type Hex, parseAbi } from 'viem'
import { PREPARED_FUNCTIONS, type PreparedFunction } from './preparedFunctions.ts'

/** ABIs are constants, so each is parsed once per process. */
const parsed = new Map<PreparedFunction, AbiFunction>()

/** The parsed fragment of a function that the service prepares. */
export function preparedFunction(name: PreparedFunction): AbiFunction {
  const known = parsed.get(name)
  if (known) return known
  const fragments: readonly string[] = PREPARED_FUNCTIONS[name]
  const found = parseAbi(fragments).find((item) => item.type === 'function')
  if (!found)
    throw new Error(`Invariant(preparedFunction): the fragments of ${name} have no function`)
  const item = found as AbiFunction // The type of a parsed text is not known.
  parsed.set(name, item)
  return item
}

/** The calldata of a function that the service prepares. */
export function encodePrepared(name: PreparedFunction, args: readonly unknown[]): Hex {
  return encodeFunctionData({ abi: [preparedFunction(name)], args })
}
