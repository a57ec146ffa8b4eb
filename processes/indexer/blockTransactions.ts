import type { Hex } from 'viem'
import type { ChainNodes } from '../../domain/chain/chainNodes.ts'
import type { JsonRpcResponse } from '../../domain/chain/jsonRpc.ts'

/** By the hash of a transaction, its index as the block has it. */
type Listed = ReadonlyMap<string, string>

/** The transactions that the newest blocks list. */
export type BlockTransactions = {
  /** Notes the answer to a request for a whole block. */
  note(blockHash: string, answer: Promise<JsonRpcResponse>): void
  /** Null if no node has the block. */
  of(blockHash: string): Promise<Listed | null>
}

/** The parts of a log that tell its transaction. */
export type BlockLog = { address: Hex; transactionHash: string; transactionIndex?: string }

const REMEMBERED = 100
const NO_TRANSACTION = `0x${'0'.repeat(64)}`

export function createBlockTransactions(chainNodes: ChainNodes): BlockTransactions {
  const blocks = new Map<string, Promise<Listed | null>>()
  function note(blockHash: string, answer: Promise<JsonRpcResponse>) {
    const listed = answer.then(
      (response) => ('result' in response ? listedIn(response.result) : null),
      () => null,
    )
    blocks.set(blockHash, listed)
    for (const hash of blocks.keys()) if (blocks.size > REMEMBERED) blocks.delete(hash)
    return listed
  }
  return {
    note,
    of: (blockHash) =>
      blocks.get(blockHash) ??
      note(
        blockHash,
        chainNodes.request({ method: 'eth_getBlockByHash', params: [blockHash, true] }),
      ),
  }
}

function listedIn(block: unknown): Listed | null {
  const { transactions } = (block ?? {}) as {
    transactions?: { hash: string; transactionIndex: string }[]
  }
  if (!transactions) return null
  return new Map(transactions.map(({ hash, transactionIndex }) => [hash, transactionIndex]))
}

/** Whether the block lists the transactions of all logs of these contracts. */
export function areListed(
  logs: readonly BlockLog[],
  listed: Listed,
  contracts: ReadonlySet<string>,
): boolean {
  return logs.every(
    ({ address, transactionHash }) =>
      listed.has(transactionHash) || !contracts.has(address.toLowerCase()),
  )
}

/**
 * The logs of a block as Ponder takes them. It refuses a block for one log of a transaction that the block does not list. Some
 * chains leave the transactions of their system out, and anybody can cause one. So such logs of other contracts are left
 * out, and a wrong index of a listed transaction is corrected.
 */
export function withListed<Log extends BlockLog>(
  logs: readonly Log[],
  listed: Listed,
  contracts: ReadonlySet<string>,
): Log[] {
  const taken = logs.flatMap((log): Log[] => {
    const transactionIndex = listed.get(log.transactionHash)
    if (transactionIndex !== undefined) return [{ ...log, transactionIndex }]
    return contracts.has(log.address.toLowerCase()) ? [log] : []
  })
  const [first] = logs
  // Ponder refuses an empty list where the filter of the block shows logs. It takes a log without a transaction.
  return taken.length > 0 || !first ? taken : [{ ...first, transactionHash: NO_TRANSACTION }]
}
