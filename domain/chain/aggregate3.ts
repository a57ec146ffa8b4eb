import { BaseError, type Hex } from 'viem'

/** Addresses are lower case. */
export type ContractCall = { to: Hex; data: Hex }

/** The selector of `aggregate3((address target, bool allowFailure, bytes callData)[])`. */
const SELECTOR = '0x82ad56cb'
/** Hex digits. */
const WORD = 64
const HEAD_WORDS = 4

/** Bytes that one call adds to the batch: its calldata, padded to whole words, and five more words. */
export function sizeInAggregate({ data }: ContractCall): number {
  return ((1 + HEAD_WORDS) * WORD + paddedLength(data)) / 2
}

/**
 * Calldata of Multicall3's `aggregate3`, in which each call may fail on its own. Written by hand,
 * because thousands of calls are encoded at once and viem's encoder joins all bytes again for each of
 * them.
 */
export function encodeAggregate3(calls: readonly ContractCall[]): Hex {
  const offsets: string[] = []
  const tuples: string[] = []
  let offset = calls.length * (WORD / 2)
  for (const call of calls) {
    const { to, data } = call
    offsets.push(word(offset))
    tuples.push(
      to.slice(2).padStart(WORD, '0') + word(1) + word(3 * (WORD / 2)) + word(data.length / 2 - 1),
      data.slice(2).padEnd(paddedLength(data), '0'),
    )
    offset += HEAD_WORDS * (WORD / 2) + paddedLength(data) / 2
  }
  return `${SELECTOR}${word(WORD / 2)}${word(calls.length)}${offsets.join('')}${tuples.join('')}`
}

/**
 * The result of each call; null if it reverted. Throws a `BaseError`, as if the node had failed, if the
 * answer does not fit this number of calls.
 */
export function decodeAggregate3(answer: Hex, count: number): (Hex | null)[] {
  const numberAt = (position: number) => {
    const number = Number.parseInt(answer.slice(position, position + WORD), 16)
    // Negated, because the number is NaN if the answer is not hex.
    if (position + WORD > answer.length || !(number <= answer.length))
      throw new BaseError('The answer of Multicall3 does not decode')
    return number
  }
  const array = 2 + numberAt(2) * 2
  if (numberAt(array) !== count)
    throw new BaseError(`Multicall3 answers ${numberAt(array)} of ${count} calls`)
  const offsets = array + WORD
  return Array.from({ length: count }, (_, index): Hex | null => {
    const result = offsets + numberAt(offsets + index * WORD) * 2
    const bytes = result + numberAt(result + WORD) * 2
    const start = bytes + WORD
    const end = start + numberAt(bytes) * 2
    if (end > answer.length) throw new BaseError('The answer of Multicall3 is cut off')
    return numberAt(result) === 0 ? null : `0x${answer.slice(start, end)}`
  })
}

function word(value: number): string {
  return value.toString(16).padStart(WORD, '0')
}

/** Hex digits of calldata in whole words. */
function paddedLength(data: Hex): number {
  return Math.ceil((data.length - 2) / WORD) * WORD
}
