import { type Abi, BaseError, decodeErrorResult, type Hex, isHex } from 'viem'

/** A revert, nothing, or bytes of another type. */
const REFUSALS = new Set([
  'ContractFunctionRevertedError',
  'ContractFunctionZeroDataError',
  'AbiDecodingDataSizeTooSmallError',
  'IntegerOutOfRangeError',
  'InvalidBytesBooleanError',
  'NegativeOffsetError',
  'PositionOutOfBoundsError',
  'RecursiveReadLimitExceededError',
  'SliceOffsetOutOfBoundsError',
])

/** Null where the contract refuses or lacks the function; what else fails goes on. */
export async function unlessRefused<Result>(read: Promise<Result>): Promise<Result | null> {
  return read.catch((error) => {
    if (isRefusal(error)) return null
    throw error
  })
}

/** Whether a chain answered, with a revert or with nothing, rather than a node failed. */
function isRefusal(error: unknown): boolean {
  return (
    error instanceof BaseError &&
    error.walk((part) => part instanceof Error && REFUSALS.has(part.name)) !== null
  )
}

/** What a call reverted with: a custom error, `Error` with its text, `Panic`, or only data. */
export type Revert = { errorName: string; args: readonly unknown[] }

/** The revert of a failed `eth_call`, by the errors of `abi`; null when that is not what failed. */
export function revertOf(error: unknown, abi: Abi): Revert | null {
  const data = revertData(error)
  if (data === null) return null
  try {
    const { errorName, args } = decodeErrorResult({ abi, data })
    return { errorName, args: (args ?? []) as readonly unknown[] }
  } catch {
    return { errorName: 'unknown', args: [data] }
  }
}

function revertData(error: unknown): Hex | null {
  if (!(error instanceof BaseError)) return null
  const holder = error.walk((part) => dataOf(part) !== null)
  return dataOf(holder) ?? (/execution reverted/i.test(error.message) ? '0x' : null)
}

function dataOf(part: unknown): Hex | null {
  if (!(part instanceof Error) || !('data' in part)) return null
  const { data } = part
  if (isHex(data)) return data
  // Some nodes wrap it once more.
  const inner = data !== null && typeof data === 'object' && 'data' in data ? data.data : null
  return isHex(inner) ? inner : null
}
