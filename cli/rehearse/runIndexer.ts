import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type AddressBookFile, readBookValue } from '../../domain/addressBook/addressBook.ts'
import { indexedChains } from '../../domain/addressBook/indexedChains.ts'
import { askBlock } from '../doctor/askNode.ts'
import { bookOfRange } from './bookOfRange.ts'
import { freePort } from './freePort.ts'
import { chainsOfNodes, type RehearsalOptions } from './rehearsal.ts'
import { type RunningProcess, runProcess } from './runProcess.ts'

export type RunningIndexer = RunningProcess & {
  chainIds: number[]
  /** The file of the book that it indexes. */
  bookPath: string
  metricsUrl: string
}

/** The real indexer, over the first provider of each chain with contracts. Null if there is no such chain. */
export async function runIndexer(
  options: RehearsalOptions,
  databaseUrl: string,
): Promise<RunningIndexer | null> {
  const indexed = new Set(indexedChains(options.book).map(({ id }) => id))
  const nodes = chainsOfNodes(options).filter(({ chain, urls }) => indexed.has(chain.id) && urls[0])
  if (nodes.length === 0) return null
  const folder = await mkdtemp(join(tmpdir(), 'causeway-rehearse-'))
  const bookPath = join(folder, 'address-book.json')
  const value = (await readBookValue(options.path)) as AddressBookFile // It was parsed as a book.
  const first = await firstBlocks(options)
  await writeFile(bookPath, JSON.stringify(bookOfRange(value, first)))
  const port = await freePort()
  const chainIds = nodes.map(({ chain }) => chain.id)
  const started = runProcess('processes/indexer.ts', {
    DATABASE_URL: databaseUrl,
    ADDRESS_BOOK: bookPath,
    INDEX_CHAINS: chainIds.join(','),
    INDEXER_METRICS_PORT: String(port),
    ...Object.fromEntries(
      nodes.flatMap(({ chain: { id }, urls: [rpcUrl = ''] }): [string, string][] => {
        const [wsUrl] = options.chainUrls.get(id)?.wsUrls ?? []
        const rpc: [string, string] = [`RPC_URL_${id}`, rpcUrl]
        return wsUrl ? [rpc, [`WS_URL_${id}`, wsUrl]] : [rpc]
      }),
    ),
  })
  return {
    ...started,
    chainIds,
    bookPath,
    metricsUrl: `http://127.0.0.1:${port}/metrics`,
    async stop() {
      await started.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function firstBlocks(options: RehearsalOptions): Promise<Map<number, number>> {
  const { blocks } = options
  if (blocks === null) return new Map()
  const found = await Promise.all(
    chainsOfNodes(options).map(async ({ chain, urls: [url] }) => {
      const head = url ? await askBlock(url, 'latest') : null
      return head ? [[chain.id, Math.max(0, Number(head.number) - blocks)] as const] : []
    }),
  )
  return new Map(found.flat())
}
