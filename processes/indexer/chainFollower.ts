import type { ChainNodes } from '../../domain/chain/chainNodes.ts'
import type { BlockHeader } from '../../domain/chain/judgeResult.ts'
import { parseHeader } from '../../domain/chain/judgeResult.ts'
import { observe } from '../../domain/observation/observe.ts'
import type { Logger } from '../logger.ts'
import { createHeaderWindow } from './headerWindow.ts'
import { isBlockConfirmed, isReorgConfirmed } from './isReorgConfirmed.ts'
import { type Contradiction, createReorgDoubts } from './reorgDoubts.ts'

/** One chain as Ponder receives it: each block is the child of the one before, and none is missing. */
export type ChainFollower = {
  tip(): BlockHeader | undefined
  /** A block of the followed chain, if it is among the newest thousand. */
  get(hash: string): BlockHeader | undefined
  at(number: bigint): BlockHeader | undefined
  /** Takes a head from a node; `askedAt` is the time (ms) at which a poll asked for it. */
  offer(head: BlockHeader, askedAt?: number): Promise<void>
  /** Whether the chain may be shorter than it was: its tip is below an earlier one, or has not changed for 30 s. */
  mayBeShorter(): boolean
  /** Whether its nodes have contradicted the tip for a third of the patience, and are not believed. */
  isInDoubt(): boolean
  /** Sends the tip to the listeners again. */
  repeatTip(): void
  follow(listener: (head: BlockHeader) => void): () => void
}

const REMEMBERED = 1_000
/** Ponder may take a block for final that has this many above it; on some chains it needs more. */
const FINAL_DEPTH = 30n
/** Blocks below the first head that are fetched, to know old data when a node serves it. */
const ANCESTORS = 150
/** Beyond this distance blocks are not fetched one by one: Ponder gets the head alone and reads the rest. */
const LONGEST_WALK = 5_000
/** A lagging node would have caught up after this time. */
const SETTLED_MS = 30_000

type ChainFollowerOptions = {
  chainId: number
  chainNodes: ChainNodes
  logger: Logger
  /** How long nodes must show that final blocks were replaced (`createReorgDoubts`). */
  patienceMs: number
  longestWalk?: number
}

/**
 * Makes one chain from the heads of all nodes. A head that extends the chain is accepted. A head that contradicts it
 * needs confirmation by the nodes (`isReorgConfirmed`) and over time (`createReorgDoubts`), because a node, or a machine
 * behind its URL, may lag or serve another chain.
 */
export function createChainFollower({
  chainId,
  chainNodes,
  logger,
  patienceMs,
  longestWalk = LONGEST_WALK,
}: ChainFollowerOptions): ChainFollower {
  const listeners = new Set<(head: BlockHeader) => void>()
  const window = createHeaderWindow(REMEMBERED)
  let changedAt = 0
  /** The number of the highest tip so far. */
  let highest = 0n
  /** The number below which Ponder may be unable to take blocks back. */
  let floor = 0n
  const doubts = createReorgDoubts(patienceMs)
  let queue = Promise.resolve()

  function publish(heads: BlockHeader[]) {
    for (const head of heads) for (const listener of listeners) listener(head)
  }

  function extend(heads: BlockHeader[]) {
    const isFirst = window.tip() === undefined
    for (const head of heads) {
      window.append(head)
      observe({ kind: 'block', chainId })
    }
    if (isFirst) void fetchAncestors()
    const number = numberOf(window.tip())
    if (number > highest) highest = number
    if (number - FINAL_DEPTH > floor) floor = number - FINAL_DEPTH
    doubts.clear()
    changedAt = Date.now()
    publish(heads)
  }

  async function consider(head: BlockHeader, askedAt: number) {
    const tip = window.tip()
    if (head.hash === tip?.hash) return doubts.clear()
    if (!tip || head.parentHash === tip.hash) return extend([head])
    if (distance(tip, head) > longestWalk) return jump(head)
    // An older block than the tip counts only if it was requested after the tip was known.
    const isOlder = window.get(head.hash) !== undefined
    if (isOlder && askedAt <= changedAt) return
    const branch = isOlder ? [head] : await branchTo(head)
    if (branch === 'unknown') return
    if (branch[0]?.parentHash === tip.hash) return extend(branch)
    if (!(await isReorgConfirmed(chainNodes.nodes, head, tip))) return
    if (doubts.note(contradictionOf(branch, tip))) reorganise(branch, tip)
  }

  function contradictionOf(branch: BlockHeader[], tip: BlockHeader): Contradiction {
    const [first] = branch
    const head = branch.at(-1)
    if (!first || !head) return 'final'
    if (window.get(head.hash)) return BigInt(head.number) < floor ? 'olderFinal' : 'older'
    const fork = window.get(first.parentHash)
    if (BigInt(fork?.number ?? 0) < floor) return 'final'
    return distance(tip, head) < 0 ? 'shorter' : 'longer'
  }

  /** Aside of the heads, which do not wait for it. */
  async function fetchAncestors() {
    for (let count = 0; count < ANCESTORS; count += 1) {
      const { parentHash, number } = window.first() ?? {}
      if (!parentHash || BigInt(number ?? 0) === 0n) return
      const parent = await blockOf(parentHash).catch(() => null)
      if (!parent || window.first()?.parentHash !== parent.hash) return
      window.prepend(parent)
    }
  }

  async function blockOf(hash: string): Promise<BlockHeader | null> {
    const response = await chainNodes.request({
      method: 'eth_getBlockByHash',
      params: [hash, false],
    })
    return 'result' in response ? parseHeader(response.result) : null
  }

  /** Skips a long gap. Ponder itself checks that the blocks between are linked to the old tip. */
  async function jump(head: BlockHeader) {
    if (!(await isBlockConfirmed(chainNodes.nodes, head))) return
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
    // What Ponder cannot take back it has given up by then.
    if (BigInt(ancestor?.number ?? 0) < floor) floor = 0n
    // Ponder drops the first head of a branch, so that one is sent twice.
    publish([first])
    extend(branch)
  }

  /** The blocks from the child of a known block up to `head`, or `head` alone if the fork is below the known blocks. */
  async function branchTo(head: BlockHeader): Promise<BlockHeader[] | 'unknown'> {
    const lowest = BigInt(window.first()?.number ?? 0)
    const branch = [head]
    let first = head
    while (!window.get(first.parentHash)) {
      const isBelow = BigInt(first.number) <= lowest
      if (isBelow || distance(first, head) > longestWalk) return [head]
      const parent = await blockOf(first.parentHash)
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
    mayBeShorter: () => numberOf(window.tip()) < highest || Date.now() - changedAt > SETTLED_MS,
    isInDoubt: doubts.isInDoubt,
    repeatTip() {
      const tip = window.tip()
      if (tip) publish([tip])
    },
    follow(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

function numberOf(head: BlockHeader | undefined): bigint {
  return BigInt(head?.number ?? 0)
}

/** The number of blocks from `from` to `to`; negative if `to` is lower. */
function distance(from: BlockHeader, to: BlockHeader): number {
  return Number(BigInt(to.number) - BigInt(from.number))
}
