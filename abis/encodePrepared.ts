import { type AbiFunction, encodeFunctionData, type Hex, parseAbi } from 'viem'
import { PREPARED_FUNCTIONS, type PreparedFunction } from './preparedFunctions.ts'

const PARSED = new Map(
  Object.entries(PREPARED_FUNCTIONS).map(([name, fragments]) => [name, parsed(fragments)]),
)

function parsed(fragments: readonly string[]): AbiFunction {
  const found = parseAbi(fragments).find((item) => item.type === 'function')
  if (!found) throw new Error(`Invariant(PARSED): no function in ${fragments.join()}`)
  return found as AbiFunction // The type of a parsed text is not known.
}

/** The parsed fragment of a function that the service prepares. */
export function preparedFunction(name: PreparedFunction): AbiFunction {
  const found = PARSED.get(name)
  if (!found) throw new Error(`Invariant(preparedFunction): ${name} is not in the table`)
  return found
}

/** The calldata of a function that the service prepares. */
export function encodePrepared(name: PreparedFunction, args: readonly unknown[]): Hex {
  return encodeFunctionData({ abi: [preparedFunction(name)], args })
}
