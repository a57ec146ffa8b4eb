import { BaseError, type Hex } from 'viem'

/** Addresses are lower case. */
export type ContractCall = { to: Hex; data: Hex }

/** Of `aggregate3((address target, bool allowFailure, bytes callData)[])`. */
const SELECTOR = '0x82ad56cb'
/** Hex digits. */
const WORD = 64
const HEAD_WORDS = 4

/**
 * Bytes that a call takes up among the others: what it is called with, filled up to whole words, and the
 * five words around it.
 */
export function sizeInAggregate({ data }: ContractCall): number {
  return ((1 + HEAD_WORDS) * WORD + paddedLength(data)) / 2
}

/**
 * Calldata of Multicall3's `aggregate3` in which every call may fail for itself. By hand, as thousands of
 * calls are encoded at once and viem's encoder joins bytes at each of them anew.
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
 * What each of the calls returned, null for one that reverted. Throws a `BaseError`, as for a node that
 * failed, where that is not the answer to so many calls.
 */
export function decodeAggregate3(answer: Hex, count: number): (Hex | null)[] {
  const numberAt = (position: number) => {
    const number = Number.parseInt(answer.slice(position, position + WORD), 16)
    // The number is none where the answer is not of hex digits.
    if (position + WORD > answer.length || !(number <= answer.length))
      throw new BaseError('What Multicall3 answers does not decode')
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
    if (end > answer.length) throw new BaseError('What Multicall3 answers is cut off')
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
