import { type Abi, BaseError, decodeErrorResult, type Hex, RpcRequestError } from 'viem'

/** An empty result, or bytes of another type. viem's own "reverted" also stands for a failed node. */
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

/** Null if the contract reverts or lacks the function; other errors are thrown. */
export async function unlessRefused<Result>(read: Promise<Result>): Promise<Result | null> {
  return read.catch((error) => {
    if (isRefusal(error)) return null
    throw error
  })
}

/** For the `catch` of a read: null instead of viem's error of this name. */
export function nullIf(error: unknown, name: string): null {
  if (error instanceof BaseError && error.name === name) return null
  throw error
}

/** Whether the chain answered, with a revert or an empty result, rather than that a node failed. */
function isRefusal(error: unknown): boolean {
  return (
    revertData(error) !== null ||
    (error instanceof BaseError &&
      error.walk((part) => part instanceof Error && MISFITS.has(part.name)) !== null)
  )
}

/** The reason of a revert: a custom error, `Error` with its text, `Panic`, or only data. */
export type Revert = { errorName: string; args: readonly unknown[] }

/** The revert of a failed `eth_call`, decoded with the errors of `abi`; null if the failure was another. */
export function revertOf(error: unknown, abi: Abi): Revert | null {
  const data = revertData(error)
  if (data === null) return null
  try {
    const { errorName, args } = decodeErrorResult({ abi, data })
    return { errorName, args: (args ?? []) as readonly unknown[] } // No type without a known ABI.
  } catch {
    return { errorName: 'unknown', args: [data] }
  }
}

/** The texts with which nodes report that a call failed in the EVM. Most give the code 3 too. */
const FAILED_IN_EVM =
  /revert|VM Exception|VM execution error|invalid opcode|InvalidFEOpcode|out of gas|OutOfGas/i
const REVERTED = 3

/** The data of a revert, empty if the node gives none. Nodes put numbers and hashes of blocks into `data` of other errors. */
function revertData(error: unknown): Hex | null {
  if (!(error instanceof BaseError)) return null
  const answer = error.walk((part) => part instanceof RpcRequestError)
  if (!(answer instanceof RpcRequestError)) return null
  const isFailure = answer.code === REVERTED || FAILED_IN_EVM.test(answer.details)
  return isFailure ? (dataOf(answer) ?? '0x') : null
}

function dataOf(part: unknown): Hex | null {
  if (!(part instanceof Error) || !('data' in part)) return null
  const { data } = part
  // Some nodes wrap the data once more, or put a word before it.
  const inner = data !== null && typeof data === 'object' && 'data' in data ? data.data : data
  const [found] = typeof inner === 'string' ? (/0x([0-9a-f]{2})*$/i.exec(inner) ?? []) : []
  return found === undefined ? null : (found.toLowerCase() as Hex)
}
