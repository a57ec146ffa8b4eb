import { InvalidArgumentError } from 'commander'

const LARGEST_INTEGER = 2_147_483_647

/** Throws commander's `InvalidArgumentError`. */
export function parseChainId(text: string): number {
  if (!/^[1-9]\d{0,9}$/.test(text) || Number(text) > LARGEST_INTEGER)
    throw new InvalidArgumentError('expected the id of a chain')
  return Number(text)
}
