import type { BlockHeader } from '../../domain/chain/judgeResult.ts'

/** The newest blocks of a chain, each the parent of the next. */
export type HeaderWindow = {
  tip(): BlockHeader | undefined
  first(): BlockHeader | undefined
  get(hash: string): BlockHeader | undefined
  at(number: bigint): BlockHeader | undefined
  /** Adds a child of the tip, or the first block. */
  append(header: BlockHeader): void
  /** Adds the parent of the first block. */
  prepend(header: BlockHeader): void
  /** Removes all blocks above that one. */
  rewind(hash: string): void
  clear(): void
}

/** Holds at most `size` headers. */
export function createHeaderWindow(size: number): HeaderWindow {
  let headers: BlockHeader[] = []
  const byHash = new Map<string, BlockHeader>()

  function forget(gone: BlockHeader[]) {
    for (const { hash } of gone) byHash.delete(hash)
  }

  return {
    tip: () => headers.at(-1),
    first: () => headers[0],
    get: (hash) => byHash.get(hash),
    at(number) {
      const [first] = headers
      if (!first || number < BigInt(first.number)) return undefined
      return headers[Number(number - BigInt(first.number))]
    },
    append(header) {
      headers.push(header)
      byHash.set(header.hash, header)
      forget(headers.splice(0, headers.length - size))
    },
    prepend(header) {
      headers.unshift(header)
      byHash.set(header.hash, header)
    },
    rewind(hash) {
      const position = headers.findIndex((header) => header.hash === hash)
      if (position >= 0) forget(headers.splice(position + 1))
    },
    clear() {
      headers = []
      byHash.clear()
    },
  }
}
