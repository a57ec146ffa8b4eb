import { beforeEach, describe, expect, test } from 'vitest'
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

  beforeEach(async () => {
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
    follower = createChainFollower({ chainId: 1, chainNodes, logger, longestWalk: 10 })
    follower.follow((head) => received.push(head))
  }

  /** Offers the newest block of `chain`, from a poll if `askedAt` is given, else from a socket. */
  async function offer(chain: BlockHeader[], askedAt?: number) {
    const head = chain.at(-1)
    if (head) await follower.offer(head, askedAt)
    return namesOf(received)
  }
  const now = () => Date.now() + 1

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
    expect(await offer(first.chain)).toBe('xx')
    first.chain = second.chain = blocks('a')
    expect(await offer(blocks('a'), now())).toBe('xxaa')
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

  test('behavior: a chain that fell back may be shorter, until it goes on', async () => {
    expect(follower.mayBeShorter()).toBe(false)
    first.chain = second.chain = blocks('ab')
    expect(await offer(blocks('ab'), now())).toBe('bb')
    expect(follower.mayBeShorter()).toBe(true)
    await offer([...blocks('ab'), ...blocks('x', 3, 'b')])
    expect(follower.mayBeShorter()).toBe(false)
  })

  test('behavior: an older head counts only if it was requested after the tip was known', async () => {
    first.chain = second.chain = blocks('ab')
    expect(await offer(blocks('ab'))).toBe('')
    expect(await offer(blocks('ab'), 1)).toBe('')
    expect(await offer(blocks('ab'), now())).toBe('bb')
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
})
