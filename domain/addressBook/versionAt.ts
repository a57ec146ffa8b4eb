type Version = { fromBlock: number; toBlock?: number | 'unknown' | undefined }

/**
 * The version of a deployment's contract that was in use at a block, from versions given oldest first;
 * null if none was. A version whose end is `unknown` counts as in use until the next one begins.
 */
export function versionAt<Entry extends Version>(versions: Entry[], block: number): Entry | null {
  const last = versions.findLast(({ fromBlock }) => fromBlock <= block)
  const isOver = typeof last?.toBlock === 'number' && last.toBlock < block
  return last && !isOver ? last : null
}
