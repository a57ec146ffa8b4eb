import { type Address, type Hash, type Hex, type RpcLog, toHex } from 'viem'
import { pause } from '../connection/pause.ts'
import { CausewayError } from '../error/causewayError.ts'
import { addressOf, type Wallets } from './wallets.ts'

/** The topics of a log that only this transaction makes in the called contract. Null where there is none. */
export type Trace = readonly (Hex | null)[] | null

export type Search = {
  /** The called contract. */
  to: Address
  trace: Trace
  /** The first block that it can be in. */
  since: bigint
}

/** `ExecutionSuccess(bytes32,uint256)` and `ExecutionFailure(bytes32,uint256)` of a Safe. */
const SUCCESS = '0x442e715f626346e8c54381002da614f62bee8d27386535b2521ec8540898556e'
const FAILURE = '0x23428b18acfb3ea64b08dc0c1d296ea9c09702c09083ca5272e64d115b687d23'

/**
 * The hash of the transaction behind the one that a wallet gave. A Safe gives the hash of what its owners sign, and another
 * account executes that later. It is found by the Safe's event, else by the trace in the called contract: the id of an order, or
 * an approval. The given hash is returned if the node knows it, and if nothing is found in time. Throws `TRANSACTION_REVERTED`
 * for an execution that failed within the Safe.
 */
export async function findTransaction(
  wallets: Wallets,
  given: Hash,
  { to, trace, since, latest }: Search & { latest: number },
): Promise<Hash> {
  const { publicClient, signal } = wallets
  const account = addressOf(wallets)
  const logsOf = (address: Address, topics: readonly (Hex | readonly Hex[] | null)[]) => {
    const filter = { address, topics: topics as Hex[], fromBlock: toHex(since) }
    return publicClient.request({ method: 'eth_getLogs', params: [filter] })
  }
  const search = async (): Promise<Hash | null> => {
    const known = await publicClient.getTransaction({ hash: given }).catch(() => null)
    if (known) return given
    const executed = (await logsOf(account, [[SUCCESS, FAILURE]])).find((log) => names(log, given))
    if (executed?.topics[0] === FAILURE) throw failure(executed)
    const [traced] = executed ? [executed] : trace ? await logsOf(to, trace) : []
    return traced?.transactionHash ?? null
  }
  while (Date.now() < latest) {
    // A node that does not answer is asked again.
    const found = await search().catch((error: unknown) => {
      if (error instanceof CausewayError) throw error
      return null
    })
    if (found) return found
    await pause(publicClient.pollingInterval, signal)
  }
  return given
}

/** Its hash is a topic since version 1.4, and was the first word of the data before. */
function names({ topics, data }: RpcLog, hash: Hash): boolean {
  return topics[1] === hash || data.startsWith(hash)
}

function failure({ transactionHash }: RpcLog): CausewayError {
  const hash = transactionHash as Hash // Mined logs have one.
  return new CausewayError({
    reason: 'TRANSACTION_REVERTED',
    metadata: { hash },
    message: `the call reverted within the Safe's transaction ${hash}: nothing was taken but gas`,
  })
}
