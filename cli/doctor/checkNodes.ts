import { numberToHex } from 'viem'
import { z } from 'zod'
import type { AddressBookChain } from '../../domain/addressBook/addressBook.ts'
import { namedBlocks } from '../../domain/verification/verifyBlocks.ts'
import { chainIdOverSocket } from '../../processes/configuration/nodesOfChains.ts'
import { askNode } from './askNode.ts'
import type { DoctorContext } from './doctorContext.ts'
import { type Line, lines } from './line.ts'
import { reasonOf } from './reasonOf.ts'

/** About what one process asks at once while it prepares quotes of several clients. */
const BURST = 20
/** Where the address book does not limit it. */
const MOST_HEAD_BLOCKS = 20
const LEAST_HEAD_SECONDS = 60
const MOST_FUTURE_SECONDS = 5

/** The part of the doctor's context that these checks need; a rehearsal has it too. */
export type NodesContext = Pick<DoctorContext, 'book' | 'chainUrls' | 'isLocal' | 'now'>

const blockSchema = z.object({ number: z.string(), timestamp: z.string() })

/** Each node of each chain: whether it answers, its head's age, its history, a burst of calls, its websocket. */
export async function checkNodes(context: NodesContext): Promise<Line[]> {
  const found = await Promise.all(
    (context.book?.chains ?? []).map(async (chain) => {
      const { rpcUrls = [], wsUrls = [] } = context.chainUrls.get(chain.id) ?? {}
      const [nodes, sockets] = await Promise.all([
        Promise.all(rpcUrls.map((url) => checkNode(context, chain, url))),
        Promise.all(wsUrls.map((url) => checkSocket(chain.id, url))),
      ])
      return [
        ...nodes.flat(),
        ...sockets.flat(),
        ...(context.isLocal ? [] : countOf(chain.id, rpcUrls, wsUrls)),
      ]
    }),
  )
  return found.flat()
}

function countOf(chainId: number, rpcUrls: string[], wsUrls: string[]): Line[] {
  const { warning } = lines(`nodes of chain ${chainId}`)
  return [
    ...(rpcUrls.length === 1
      ? warning('there is only one', `Add a second URL to RPC_URL_${chainId}, of another provider.`)
      : []),
    ...(rpcUrls.length > 0 && wsUrls.length === 0
      ? warning(
          'there is no websocket: a block is noticed at the next poll',
          `Set WS_URL_${chainId} for the indexer.`,
        )
      : []),
  ]
}

async function checkNode(
  { book, now }: NodesContext,
  chain: AddressBookChain,
  url: string,
): Promise<Line[]> {
  // The rest of a URL may be a key.
  const { host } = new URL(url)
  const { ok, warning, error } = lines(`node of chain ${chain.id}, ${host}`)
  try {
    const chainId = Number(await askNode(url, 'eth_chainId', []))
    if (chainId !== chain.id)
      return error(`it is a node of chain ${chainId}`, `Set one of chain ${chain.id}.`)
    const head = blockSchema.parse(await askNode(url, 'eth_getBlockByNumber', ['latest', false]))
    const age = now() / 1_000 - Number(head.timestamp)
    const oldest =
      chain.maxHeadAgeSeconds ??
      Math.max(chain.blockTimeSeconds * MOST_HEAD_BLOCKS, LEAST_HEAD_SECONDS)
    const first = firstBlockOf(book, chain.id)
    const [history, refused] = await Promise.all([
      first === null ? null : historyProblem(url, first),
      refusedOfBurst(url),
    ])
    const found = [
      ...(age > oldest
        ? error(
            `its newest block ${Number(head.number)} is ${Math.round(age)} s old`,
            'Look whether the node is syncing, or take another one. If the chain makes no blocks, raise maxHeadAgeSeconds.',
          )
        : []),
      ...(age < -MOST_FUTURE_SECONDS
        ? error(
            `its newest block is ${Math.round(-age)} s ahead of the clock of this machine`,
            'Set the clock by NTP.',
          )
        : []),
      ...(history
        ? error(
            `it lacks the logs of block ${first}, the first of the contracts: ${history}`,
            'Take a node with the logs of the whole chain; an archive of states is not needed.',
          )
        : []),
      ...(refused > 0
        ? warning(
            `it refuses ${refused} of ${BURST} calls at once`,
            'Raise the rate limit at the provider, or add a second URL.',
          )
        : []),
    ]
    return found.length > 0
      ? found
      : ok(`block ${Number(head.number)}, ${Math.max(0, Math.round(age))} s old, with history`)
  } catch (cause) {
    return error(`it does not answer: ${reasonOf(cause)}`, `Correct or replace its URL.`)
  }
}

/** The first block of which the index reads logs; null for a chain without contracts. */
export function firstBlockOf(book: DoctorContext['book'], chainId: number): number | null {
  const blocks = book ? namedBlocks(book).filter((named) => named.chainId === chainId) : []
  return blocks.length === 0 ? null : Math.min(...blocks.map(({ block }) => block))
}

async function historyProblem(url: string, block: number): Promise<string | null> {
  const number = numberToHex(block)
  try {
    const header = await askNode(url, 'eth_getBlockByNumber', [number, false])
    await askNode(url, 'eth_getLogs', [{ fromBlock: number, toBlock: number }])
    return header === null ? 'it has no such block' : null
  } catch (error) {
    return reasonOf(error)
  }
}

async function refusedOfBurst(url: string): Promise<number> {
  const calls = Array.from({ length: BURST }, () => askNode(url, 'eth_blockNumber', []))
  const answers = await Promise.allSettled(calls)
  return answers.filter(({ status }) => status === 'rejected').length
}

async function checkSocket(chainId: number, url: string): Promise<Line[]> {
  const { ok, error } = lines(`websocket of chain ${chainId}, ${new URL(url).host}`)
  const advice = `Correct WS_URL_${chainId}, or unset it.`
  try {
    const answered = await chainIdOverSocket(url)
    if (typeof answered !== 'string') return error('it does not answer eth_chainId', advice)
    if (Number(answered) !== chainId) return error(`it is of chain ${Number(answered)}`, advice)
    return ok('it answers')
  } catch (cause) {
    return error(`it does not answer: ${reasonOf(cause)}`, advice)
  }
}
