import type { TransactionSql } from 'postgres'
import { numberToHex } from 'viem'
import { z } from 'zod'
import type { ChainNodes } from '../../domain/chain/chainNodes.ts'
import type { JsonRpcResponse } from '../../domain/chain/jsonRpc.ts'
import { requestLogs } from '../../domain/chain/requestLogs.ts'
import { type Manifest, SnapshotError } from './manifest.ts'

const RANGE = 100

const transaction = z.object({
  hash: z.string(),
  from: z.string(),
  to: z.string().nullish(),
  input: z.string(),
  value: z.string(),
  nonce: z.string(),
  transactionIndex: z.string(),
})
const block = z.object({
  hash: z.string(),
  parentHash: z.string(),
  timestamp: z.string(),
  transactions: z.array(transaction),
})
const log = z.object({
  address: z.string(),
  topics: z.array(z.string()),
  data: z.string(),
  blockNumber: z.string(),
  blockHash: z.string(),
  transactionHash: z.string(),
  transactionIndex: z.string(),
  logIndex: z.string(),
})

/** Throws `SnapshotError` if the nodes do not have the last block of the snapshot. */
export async function assertLastBlock(nodes: ChainNodes, manifest: Manifest): Promise<void> {
  const { number, hash } = manifest.block
  const found = await readBlock(nodes, number)
  if (found.hash !== hash)
    throw new SnapshotError(
      `block ${number} of chain ${manifest.chainId} is ${found.hash} at the node, the snapshot has ${hash}`,
    )
}

type Place = { manifest: Manifest; near: 'block' | 'log' }

/**
 * Compares the snapshot with the nodes at a random place: near any block, or at a log of the snapshot. A cached
 * block with its cached transactions must be there, and the logs of a range must be the same.
 * Throws `SnapshotError`.
 */
export async function assertPlace(
  nodes: ChainNodes,
  sql: TransactionSql,
  place: Place,
): Promise<void> {
  const { chainId, block: last } = place.manifest
  const at = await drawBlock(sql, place)
  if (at === null) return
  await compareBlock(nodes, sql, { chainId, at })
  const from = Math.max(0, at - Math.floor(Math.random() * RANGE))
  await compareLogs(nodes, sql, { chainId, from, to: Math.min(from + RANGE - 1, last.number) })
}

async function drawBlock(sql: TransactionSql, { manifest, near }: Place): Promise<number | null> {
  const { chainId, files } = manifest
  const share = Math.random()
  const [row] =
    near === 'log'
      ? await sql<{ at: string }[]>`
        select block_number::text as at from ponder_sync.logs where chain_id = ${chainId}
        order by block_number, log_index offset ${Math.floor(share * files.logs.rows)} limit 1`
      : await sql<{ at: string }[]>`
        with ends as (
          select min(number) as first, max(number) as last from ponder_sync.blocks where chain_id = ${chainId})
        select number::text as at from ponder_sync.blocks, ends
        where chain_id = ${chainId} and number >= first + floor((last - first) * ${share}::float8)
        order by number limit 1`
  return row ? Number(row.at) : null
}

async function compareBlock(
  nodes: ChainNodes,
  sql: TransactionSql,
  { chainId, at }: { chainId: number; at: number },
) {
  const found = await readBlock(nodes, at)
  const [cached] = await sql<{ text: string }[]>`
    select concat_ws(' ', hash, parent_hash, timestamp) as text from ponder_sync.blocks
    where chain_id = ${chainId} and number = ${at}`
  const own = `${found.hash} ${found.parentHash} ${BigInt(found.timestamp)}`
  if (cached?.text !== own) throw new SnapshotError(differs('block', chainId, at))
  const transactions = await sql<{ text: string }[]>`
    select concat_ws(' ', transaction_index, hash, block_hash, "from", coalesce("to", '-'), input, value, nonce) as text
    from ponder_sync.transactions where chain_id = ${chainId} and block_number = ${at}`
  const there = new Set(
    found.transactions.map((entry) =>
      [
        BigInt(entry.transactionIndex),
        entry.hash,
        found.hash,
        entry.from.toLowerCase(),
        entry.to?.toLowerCase() ?? '-',
        entry.input,
        BigInt(entry.value),
        BigInt(entry.nonce),
      ].join(' '),
    ),
  )
  if (transactions.some(({ text }) => !there.has(text)))
    throw new SnapshotError(differs('a transaction of block', chainId, at))
}

type Range = { chainId: number; from: number; to: number }

/** The logs that the snapshot takes for completely read in a range: no more and no less are at the node. */
async function compareLogs(nodes: ChainNodes, sql: TransactionSql, range: Range) {
  const { chainId, from, to } = range
  const fragments = await sql<{ address: string; topic: string }[]>`
    select split_part(fragment_id, '_', 3) as address, split_part(fragment_id, '_', 4) as topic
    from ponder_sync.intervals
    where chain_id = ${chainId} and fragment_id like 'log%'
      and blocks @> numrange(${from}::numeric, ${to + 1}::numeric, '[]')`
  if (fragments.length === 0) return
  const isRead = new Set(fragments.map(({ address, topic }) => `${address} ${topic}`))
  const cached = await sql<{ text: string; address: string; topic: string }[]>`
    select address, topic0 as topic, concat_ws(' ', block_number, log_index, block_hash, transaction_hash,
      transaction_index, address, concat_ws(',', topic0, topic1, topic2, topic3), data) as text
    from ponder_sync.logs
    where chain_id = ${chainId} and block_number between ${from} and ${to}`
  const filter = {
    address: [...new Set(fragments.map(({ address }) => address))],
    topics: [[...new Set(fragments.map(({ topic }) => topic))]],
  }
  const blocks = { fromBlock: BigInt(from), toBlock: BigInt(to) }
  const result = resultOf('eth_getLogs', await requestLogs(nodes, filter, blocks))
  const found = z
    .array(log)
    .parse(result)
    .map((entry) => ({
      address: entry.address.toLowerCase(),
      topic: entry.topics[0] ?? '',
      text: [
        BigInt(entry.blockNumber),
        BigInt(entry.logIndex),
        entry.blockHash,
        entry.transactionHash,
        BigInt(entry.transactionIndex),
        entry.address.toLowerCase(),
        entry.topics.join(),
        entry.data,
      ].join(' '),
    }))
  const texts = (list: typeof cached | typeof found) =>
    list
      .filter(({ address, topic }) => isRead.has(`${address} ${topic}`))
      .map(({ text }) => text)
      .sort()
  if (texts(cached).join('\n') !== texts(found).join('\n'))
    throw new SnapshotError(
      `the logs of the blocks ${from} to ${to} of chain ${chainId} are not those of the node`,
    )
}

function differs(what: string, chainId: number, at: number): string {
  return `${what} ${at} of chain ${chainId} is another one at the node than in the snapshot`
}

async function readBlock(nodes: ChainNodes, number: number) {
  const method = 'eth_getBlockByNumber'
  const params = [numberToHex(number), true]
  const result = resultOf(method, await nodes.request({ method, params }))
  if (result === null)
    throw new SnapshotError(`the node does not have block ${number}. Use one that is synced.`)
  return block.parse(result)
}

/** Throws `SnapshotError` for an error of the node. */
function resultOf(method: string, response: JsonRpcResponse): unknown {
  if ('error' in response)
    throw new SnapshotError(`the node refuses ${method}: ${response.error.message}`)
  return response.result
}
