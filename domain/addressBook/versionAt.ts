type Version = { fromBlock: number; toBlock?: number | 'unknown' | undefined }

/**
 * Of the versions of a deployment's contract, oldest first, the one that was in use at a block, or null
 * where none was. One whose end is `unknown` is taken to be in use until the next begins.
 */
export function versionAt<Entry extends Version>(versions: Entry[], block: number): Entry | null {
  const last = versions.findLast(({ fromBlock }) => fromBlock <= block)
  const isOver = typeof last?.toBlock === 'number' && last.toBlock < block
  return last && !isOver ? last : null
}
