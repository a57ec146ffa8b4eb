import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createChainNodes } from '../../domain/chain/chainNodes.ts'
import type { BlockHeader } from '../../domain/chain/judgeResult.ts'
import {
  blocks,
  namesOf,
  type ScriptedNode,
  scriptedNode,
} from '../../test/support/scriptedNode.ts'
import { createLogger } from '../logger.ts'
import { type ChainFollower, createChainFollower } from './chainFollower.ts'

describe('createChainFollower', () => {
  let first: ScriptedNode
  let second: ScriptedNode
  let follower: ChainFollower
  let received: BlockHeader[]

  afterEach(() => void vi.useRealTimers())
  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    first = scriptedNode(blocks('abc'))
    second = scriptedNode(blocks('abc'))
    follow(first, second)
    for (const head of blocks('abc')) await follower.offer(head)
    received.length = 0
  })

  function follow(...nodes: ScriptedNode[]) {
    received = []
    const logger = createLogger('test', 'silent')
    const chainNodes = createChainNodes(1, nodes)
    follower = createChainFollower({
      chainId: 1,
      chainNodes,
      logger,
      patienceMs: 90_000,
      longestWalk: 10,
    })
    follower.follow((head) => received.push(head))
  }

  /** Offers the newest block of `chain`, from a poll if `askedAt` is given, else from a socket. */
  async function offer(chain: BlockHeader[], askedAt?: number) {
    const head = chain.at(-1)
    if (head) await follower.offer(head, askedAt)
    return namesOf(received)
  }
  const now = () => Date.now() + 1
  const pass = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1_000)

  /** What is received after the nodes have shown this chain for so long. */
  async function offerFor(seconds: number, chain: BlockHeader[]) {
    await offer(chain, now())
    pass(seconds)
    return offer(chain, now())
  }

  test('default', async () => {
    expect(await offer(blocks('abcd'))).toBe('d')
    expect(namesOf([follower.tip() as BlockHeader])).toBe('d')
    expect(follower.at(2n)).toEqual(blocks('ab')[1])
  })

  test('behavior: missing blocks are fetched and sent in order', async () => {
    first.chain = blocks('abcdefg')
    expect(await offer(first.chain)).toBe('defg')
  })

  test('behavior: a known head is sent again only on request', async () => {
    const received: BlockHeader[] = []
    follower.follow((head) => received.push(head))
    await offer(blocks('abc'))
    expect(namesOf(received)).toBe('')
    follower.repeatTip()
    expect(namesOf(received)).toBe('c')
  })

  test('behavior: a branch is sent from its first block, which is sent twice', async () => {
    first.chain = second.chain = [...blocks('a'), ...blocks('xyz', 2, 'a')]
    expect(await offer(first.chain)).toBe('xxyz')
    expect(follower.get(blocks('abc')[2]?.hash ?? '')).toBeUndefined()
  })

  test('behavior: a shorter branch is sent the same way, and so is a chain that became shorter', async () => {
    first.chain = second.chain = [...blocks('a'), ...blocks('x', 2, 'a')]
    expect(await offerFor(1, first.chain)).toBe('')
    expect(await offerFor(1, first.chain)).toBe('xx')
    first.chain = second.chain = blocks('a')
    expect(await offerFor(59, blocks('a'))).toBe('xx')
    expect(await offerFor(1, blocks('a'))).toBe('xxaa')
  })

  test('behavior: of a branch that forks below all known blocks only the head is sent, twice', async () => {
    first.chain = second.chain = [...blocks('w', 0), ...blocks('xyz', 1, 'w')]
    expect(await offer(first.chain)).toBe('zz')
  })

  test('behavior: after a gap that is too long to fetch, only the head is sent', async () => {
    const grown = blocks('abcdefghijklmnop')
    expect(await offer(grown), 'that no node has').toBe('')
    first.chain = grown
    expect(await offer(grown)).toBe('p')
    first.chain = [...grown, ...blocks('q', 17, 'p')]
    expect(await offer(first.chain)).toBe('pq')
  })

  test('behavior: a chain that fell back may be shorter, until it is as high as before', async () => {
    expect(follower.mayBeShorter()).toBe(false)
    first.chain = second.chain = blocks('a')
    expect(await offerFor(60, blocks('a'))).toBe('aa')
    expect(follower.mayBeShorter()).toBe(true)
    await offer([...blocks('a'), ...blocks('x', 2, 'a')])
    expect(follower.mayBeShorter(), 'it goes on, still lower').toBe(true)
    await offer([...blocks('a'), ...blocks('xy', 2, 'a')])
    expect(follower.mayBeShorter()).toBe(false)
  })

  test('behavior: an older head counts only if it was requested after the tip was known', async () => {
    first.chain = second.chain = blocks('ab')
    expect(await offer(blocks('ab'))).toBe('')
    expect(await offer(blocks('ab'), 1)).toBe('')
    expect(await offerFor(60, blocks('ab'))).toBe('bb')
  })

  test('behavior: a node that lags cannot take blocks back', async () => {
    first.chain = blocks('ab')
    expect(await offer(blocks('ab'), now())).toBe('')
  })

  test('behavior: a branch is not accepted while a node that has reached its number has the old head', async () => {
    first.chain = [...blocks('a'), ...blocks('xy', 2, 'a')]
    expect(await offer(first.chain)).toBe('')
    second.isDown = true
    expect(await offer(first.chain)).toBe('xxy')
  })

  test('behavior: a node that is stuck on an old branch does not delay a longer one', async () => {
    first.chain = [...blocks('a'), ...blocks('xyz', 2, 'a')]
    expect(await offer(first.chain)).toBe('xxyz')
  })

  test('behavior: a head that no node has is ignored', async () => {
    expect(await offer(blocks('xyz', 2, 'q'))).toBe('')
    expect(await offer(blocks('abcd'))).toBe('d')
  })

  test('behavior: while no node answers, a contradicting head is not accepted', async () => {
    first.isDown = second.isDown = true
    expect(await offer([...blocks('a'), ...blocks('xy', 2, 'a')])).toBe('')
    expect(await offer(blocks('abcd'))).toBe('d')
  })

  describe('a URL with many machines', () => {
    const LONG = 80
    /** Characters whose codes are 1, 2, … */
    const names = String.fromCharCode(...Array.from({ length: LONG }, (_, index) => index + 200))
    const long = blocks(names)
    const other = blocks('x', LONG - 44, names[LONG - 46])

    beforeEach(async () => {
      first = scriptedNode(long)
      follow(first)
      for (const head of long) await follower.offer(head)
      received.length = 0
    })

    test.each([5, 45])('behavior: %i old blocks for 25 s change nothing', async (depth) => {
      first.chain = long.slice(0, -depth)
      expect(await offerFor(25, first.chain)).toBe('')
      expect(follower.isInDoubt()).toBe(false)
      first.chain = long
      expect(await offer(long)).toBe('')
      expect(await offer([...long, ...blocks('n', LONG + 1, names.at(-1))])).toBe('n')
    })

    test('behavior: old blocks are told from other ones although the follower started above them', async () => {
      follow(first)
      await offer(long)
      await expect.poll(() => follower.at(1n)).toBeDefined()
      received.length = 0
      first.chain = long.slice(0, -45)
      expect(await offerFor(1_000, first.chain)).toBe('')
    })

    test('behavior: after half a minute the chain is in doubt, and final blocks that are only gone never go', async () => {
      first.chain = long.slice(0, -45)
      expect(await offerFor(31, first.chain)).toBe('')
      expect(follower.isInDoubt()).toBe(true)
      expect(await offerFor(3_600, first.chain)).toBe('')
      first.chain = long
      await offer(long)
      expect(follower.isInDoubt()).toBe(false)
    })

    test('behavior: other blocks in the place of final ones are believed after a minute and a half', async () => {
      first.chain = [...long.slice(0, -45), ...other]
      expect(await offerFor(89, first.chain)).toBe('')
      expect(await offerFor(1, first.chain)).toBe('xx')
    })

    test('behavior: one answer is no proof, however late it comes', async () => {
      first.chain = [...long.slice(0, -45), ...other]
      await offer(first.chain)
      first.chain = long
      await offer(long)
      pass(3_600)
      first.chain = [...long.slice(0, -45), ...other]
      expect(await offer(first.chain)).toBe('')
    })
  })
})
