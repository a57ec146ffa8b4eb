import { readFile } from 'node:fs/promises'
import { type OpenBook, openBook, type ShieldSource, type VaultNode } from '@causeway/sdk/shield'
import { type Address, createPublicClient, http } from 'viem'

export type ShieldOptions = {
  /** The signed book as JSON, or the path of its file. */
  book: string
  signers: readonly Address[]
  environment: string
  /** The user's own nodes, by chain. They are asked for the rates of vaults. */
  rpcUrls: ReadonlyMap<number, string>
}

/** All that the checks of prepared calls need. */
export type Shield = { book: OpenBook; nodes: ReadonlyMap<number, VaultNode> }

/** Reads the pinned book. Throws if it is not signed by the operator, or has expired. */
export async function openShield(options: ShieldOptions): Promise<Shield> {
  const { signers, environment, rpcUrls } = options
  const text = options.book.startsWith('{') ? options.book : await readFile(options.book, 'utf8')
  const given = JSON.parse(text) as ShieldSource['book'] // Its signature shows that it is one.
  const book = await openBook({ book: given, signers, environment })
  const nodes = [...rpcUrls].map(
    ([chainId, url]) => [chainId, createPublicClient({ transport: http(url) })] as const,
  )
  return { book, nodes: new Map(nodes) }
}
