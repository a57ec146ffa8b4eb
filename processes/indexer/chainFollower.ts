import type { ChainNodes } from '../../domain/chain/chainNodes.ts'
import type { BlockHeader } from '../../domain/chain/judgeResult.ts'
import { parseHeader } from '../../domain/chain/judgeResult.ts'
import type { Logger } from '../logger.ts'
import { createHeaderWindow } from './headerWindow.ts'
import { isBelieved, isKnown } from './isBelieved.ts'

/** One chain as it is told to Ponder: every block the child of the one before, none left out. */
export type ChainFollower = {
  tip(): BlockHeader | undefined
  /** A block of the chain as told; only the newest thousand are remembered. */
  get(hash: string): BlockHeader | undefined
  at(number: bigint): BlockHeader | undefined
  /** Considers a head that somebody tells; `askedAt` (ms) is when a poll asked for it. */
  offer(head: BlockHeader, askedAt?: number): Promise<void>
  /** Whether its tip may be below one that was told: it was seen to fall back, or does not move. */
  mayBeShorter(): boolean
  /** Tells the tip again. */
  retell(): void
  follow(listener: (head: BlockHeader) => void): () => void
}

const REMEMBERED = 1_000
/** More blocks than are worth fetching one by one; Ponder, told of the head alone, reads what lies between. */
const LONGEST_WALK = 5_000
/** So long a tip is nobody's delay. */
const SETTLED_MS = 30_000

type ChainFollowerOptions = {
  chainId: number
  chainNodes: ChainNodes
  logger: Logger
  longestWalk?: number
}

/**
 * Turns whatever nodes tell of heads into one chain. A head that extends it is taken as it is; one
 * that contradicts it must be believed first (`isBelieved`): nodes lag, and some talk of other chains.
 */
export function createChainFollower({
  chainId,
  chainNodes,
  logger,
  longestWalk = LONGEST_WALK,
}: ChainFollowerOptions): ChainFollower {
  const listeners = new Set<(head: BlockHeader) => void>()
  const window = createHeaderWindow(REMEMBERED)
  let changedAt = 0
  let isShorter = false
  let queue = Promise.resolve()

  function tell(heads: BlockHeader[]) {
    for (const head of heads) for (const listener of listeners) listener(head)
  }

  function extend(heads: BlockHeader[]) {
    for (const head of heads) window.append(head)
    changedAt = Date.now()
    isShorter = false
    tell(heads)
  }

  async function consider(head: BlockHeader, askedAt: number) {
    const tip = window.tip()
    if (head.hash === tip?.hash) return
    if (!tip || head.parentHash === tip.hash) return extend([head])
    if (distance(tip, head) > longestWalk) return jump(head)
    // An older block than the tip says something only if it was asked for after the tip was known.
    const isOlder = window.get(head.hash) !== undefined
    if (isOlder && askedAt <= changedAt) return
    const branch = isOlder ? [head] : await branchTo(head)
    if (branch === 'unknown') return
    if (branch[0]?.parentHash === tip.hash) return extend(branch)
    if (await isBelieved(chainNodes.nodes, head, tip)) reorganise(branch, tip)
  }

  /** After long silence: what is between cannot contradict the tip unseen, since Ponder links it. */
  async function jump(head: BlockHeader) {
    if (!(await isKnown(chainNodes.nodes, head))) return
    window.clear()
    extend([head])
  }

  function reorganise(branch: BlockHeader[], tip: BlockHeader) {
    const [first] = branch
    const head = branch.at(-1)
    if (!first || !head) return
    const ancestor = window.get(first.parentHash)
    logger.warn(
      { chainId, from: Number(tip.number), to: Number(head.number), since: Number(first.number) },
      'the chain was reorganised',
    )
    if (ancestor) window.rewind(ancestor.hash)
    else window.clear()
    // Ponder takes the first head of a branch only as the sign of it.
    tell([first])
    extend(branch)
    isShorter = distance(tip, head) < 0
  }

  /** From the child of a known block up to `head`; `head` alone where the fork lies below what is known. */
  async function branchTo(head: BlockHeader): Promise<BlockHeader[] | 'unknown'> {
    const lowest = BigInt(window.first()?.number ?? 0)
    const branch = [head]
    let first = head
    while (!window.get(first.parentHash)) {
      const isBelow = BigInt(first.number) <= lowest
      if (isBelow || distance(first, head) > longestWalk) return [head]
      const request = { method: 'eth_getBlockByHash', params: [first.parentHash, false] }
      const response = await chainNodes.request(request)
      const parent = 'result' in response ? parseHeader(response.result) : null
      if (!parent) return 'unknown'
      branch.unshift(parent)
      first = parent
    }
    return branch
  }

  return {
    tip: window.tip,
    get: window.get,
    at: window.at,
    offer(head, askedAt = 0) {
      queue = queue
        .then(() => consider(head, askedAt))
        .catch((cause) =>
          logger.debug({ chainId, cause: String(cause) }, 'a head was not followed'),
        )
      return queue
    },
    mayBeShorter: () => isShorter || Date.now() - changedAt > SETTLED_MS,
    retell() {
      const tip = window.tip()
      if (tip) tell([tip])
    },
    follow(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** Blocks from one to the other; negative where the other is the lower one. */
function distance(from: BlockHeader, to: BlockHeader): number {
  return Number(BigInt(to.number) - BigInt(from.number))
}
