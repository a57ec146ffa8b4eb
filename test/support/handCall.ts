import { encodeFunctionData, type Hex, parseAbi } from 'viem'

/** A call by hand: the signature of the function, and its arguments. */
export type HandCall = readonly [signature: string, ...args: unknown[]]

/** The calldata of a function whose signature is known only when it runs. */
export function encodeHandCall([signature, ...args]: HandCall): Hex {
  // viem's types need the signature as a constant.
  return encodeFunctionData({ abi: parseAbi([signature]), args } as never)
}
