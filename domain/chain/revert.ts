import { type Abi, BaseError, decodeErrorResult, type Hex } from 'viem'

/** Nothing, or bytes of another type. viem's own "reverted" also stands for a node that failed. */
const MISFITS = new Set([
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
    revertData(error) !== null ||
    (error instanceof BaseError &&
      error.walk((part) => part instanceof Error && MISFITS.has(part.name)) !== null)
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

/** How nodes say that a call failed in the EVM, where they give no data. */
const FAILED_IN_EVM =
  /execution reverted|VM Exception|VM execution error|invalid opcode|InvalidFEOpcode|out of gas|OutOfGas/i

function revertData(error: unknown): Hex | null {
  if (!(error instanceof BaseError)) return null
  const holder = error.walk((part) => dataOf(part) !== null)
  return dataOf(holder) ?? (FAILED_IN_EVM.test(error.message) ? '0x' : null)
}

function dataOf(part: unknown): Hex | null {
  if (!(part instanceof Error) || !('data' in part)) return null
  const { data } = part
  // Some nodes wrap it once more, or put a word before it.
  const inner = data !== null && typeof data === 'object' && 'data' in data ? data.data : data
  const [found] = typeof inner === 'string' ? (/0x([0-9a-f]{2})*$/i.exec(inner) ?? []) : []
  return found === undefined ? null : (found.toLowerCase() as Hex)
}
