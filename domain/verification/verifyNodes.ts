import type { AddressBook } from '../addressBook/addressBook.ts'
import { type ChainEndpoint, createChainClients } from '../chain/chainClients.ts'
import { postJsonRpc } from '../chain/jsonRpc.ts'
import { unlessUnavailable } from '../error/unlessUnavailable.ts'
import { contradiction, type Finding, noCode, note, unverified } from './finding.ts'
import { hasCode, type VerificationContext } from './verificationContext.ts'

/** Long timeouts: no user waits here, and public nodes are slow with logs. */
const READ_TIMEOUT_MS = 10_000

type NodeAnswer = { url: string; chainId: number | null }

/** Asks every node for its chain id, and creates the clients of the chains whose nodes are right. */
export async function verifyNodes(
  book: AddressBook,
  endpoints: ChainEndpoint[],
): Promise<VerificationContext & { findings: Finding[] }> {
  const urlsOf = new Map(endpoints.map(({ chainId, rpcUrls }) => [chainId, rpcUrls]))
  const asked = await Promise.all(
    book.chains.map(async ({ id }) => ({
      chainId: id,
      answers: await Promise.all((urlsOf.get(id) ?? []).map(askChainId)),
    })),
  )
  const right = asked.map(({ chainId, answers }) => ({
    chainId,
    rpcUrls: answers.filter((answer) => answer.chainId === chainId).map(({ url }) => url),
  }))
  const usable = right.filter(({ rpcUrls }) => rpcUrls.length > 0)
  const batching = await findMulticalls(book, usable)
  return {
    book,
    reachable: batching.reachable,
    // Without Multicall3, everything else can still be asked, one call at a time.
    chains: createChainClients(
      usable,
      { chains: book.chains.filter(({ id }) => batching.withCode.has(id)) },
      { readTimeoutMs: READ_TIMEOUT_MS },
    ),
    findings: [
      ...asked.flatMap(({ chainId, answers }, index) =>
        judgeNodes(`chains.${index}`, chainId, answers),
      ),
      ...batching.findings,
    ],
  }
}

async function askChainId(url: string): Promise<NodeAnswer> {
  const limits = { timeoutMs: READ_TIMEOUT_MS, maxResponseBytes: 10_000 }
  // `judgeNodes` reports a node that does not answer.
  const response = await postJsonRpc(url, { method: 'eth_chainId', params: [] }, limits).catch(
    () => null,
  )
  const answered = response && 'result' in response ? Number(response.result) : Number.NaN
  const chainId = Number.isSafeInteger(answered) ? answered : null
  return { url, chainId }
}

/** The findings for one chain's nodes. Only the host of a URL is shown: its path may be a key. */
export function judgeNodes(place: string, chainId: number, answers: NodeAnswer[]): Finding[] {
  if (answers.length === 0)
    return [unverified(place, `not verified: RPC_URL_${chainId} names no node`)]
  const isVerified = answers.some((answer) => answer.chainId === chainId)
  return answers.flatMap((answer) => {
    const { host } = new URL(answer.url)
    if (answer.chainId === chainId) return []
    if (answer.chainId !== null)
      return [
        contradiction(
          `${place}.id`,
          `the book has ${chainId}, the node at ${host} is on chain ${answer.chainId}`,
        ),
      ]
    return isVerified
      ? [note(place, `the node at ${host} does not answer, but another one does`)]
      : [unverified(place, `not verified: the node at ${host} does not answer`)]
  })
}

type Multicalls = {
  /** `reachable`: the chains whose nodes answered. `withCode`: those that have Multicall3. */
  reachable: Set<number>
  withCode: Set<number>
  findings: Finding[]
}

async function findMulticalls(book: AddressBook, usable: ChainEndpoint[]): Promise<Multicalls> {
  const chains = createChainClients(usable, { chains: [] }, { readTimeoutMs: READ_TIMEOUT_MS })
  const asked = await Promise.all(
    usable.map(async ({ chainId }) => {
      const index = book.chains.findIndex(({ id }) => id === chainId)
      const multicall3 = book.chains[index]?.multicall3 ?? '0x'
      const read = chains.read(chainId, (client) => hasCode(client, multicall3))
      return {
        chainId,
        place: `chains.${index}`,
        multicall3,
        isThere: await read.catch(unlessUnavailable),
      }
    }),
  )
  const idsOf = (answers: (boolean | null)[]) =>
    new Set(asked.filter(({ isThere }) => answers.includes(isThere)).map(({ chainId }) => chainId))
  return {
    reachable: idsOf([true, false]),
    withCode: idsOf([true]),
    findings: asked.flatMap(({ chainId, place, multicall3, isThere }) => {
      if (isThere === null)
        return [unverified(place, `not verified: no node of chain ${chainId} answers`)]
      return isThere ? [] : [noCode(`${place}.multicall3`, multicall3, chainId)]
    }),
  }
}
