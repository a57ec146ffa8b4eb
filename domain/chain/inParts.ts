/** The first block and the last. */
export type BlockRange = { fromBlock: bigint; toBlock: bigint }

type Parts<Found> = {
  /** The most blocks that any of the nodes is known to answer at once. */
  most(): number
  /** Reads the part that `next` names. It may call `next` again, for a smaller part that begins at the same block. */
  read(next: () => BlockRange): Promise<Found[]>
  /** Whether fewer blocks may help. */
  isRefusal(error: unknown): Promise<boolean>
  /** Reads a single block that is refused. Without it the error is thrown. */
  readLess?: ((part: BlockRange) => Promise<Found[]>) | undefined
}

/** Reads a range of blocks in as many parts as the nodes require, down to single blocks. */
export async function inParts<Found>(
  { fromBlock, toBlock }: BlockRange,
  { most, read, isRefusal, readLess }: Parts<Found>,
): Promise<Found[]> {
  const found: Found[] = []
  let first = fromBlock
  let part = { fromBlock, toBlock }
  let mostNow = Infinity
  const next = () => {
    const blocks = Math.min(Number(toBlock - first) + 1, most(), mostNow)
    part = { fromBlock: first, toBlock: first + BigInt(blocks) - 1n }
    return part
  }
  const take = (some: Found[]) => {
    // One by one, because a part may have more logs than a call has arguments.
    for (const one of some) found.push(one)
    first = part.toBlock + 1n
    mostNow = Infinity
  }
  while (first <= toBlock)
    try {
      take(await read(next))
    } catch (error) {
      if (!(await isRefusal(error))) throw error
      const blocks = Number(part.toBlock - part.fromBlock) + 1
      if (blocks > 1) mostNow = Math.floor(blocks / 2)
      else if (readLess) take(await readLess(part))
      else throw error
    }
  return found
}
