import { beforeEach, describe, expect, test } from 'vitest'
import { createChainNodes } from '../../domain/chain/chainNodes.ts'
import { blocks, hashOf, type ScriptedNode, scriptedNode } from '../../test/support/scriptedNode.ts'
import { createLogger } from '../logger.ts'
import { askForPonder, type PonderLine } from './askForPonder.ts'
import { createChainFollower } from './chainFollower.ts'

const gone = { error: { code: -32601, message: 'the block is not on the chain any more' } }

describe('askForPonder', () => {
  let node: ScriptedNode
  let line: PonderLine

  beforeEach(async () => {
    node = scriptedNode(blocks('abc'))
    const chainNodes = createChainNodes(1, [node])
    const logger = createLogger('test', 'silent')
    const follower = createChainFollower({ chainId: 1, chainNodes, logger, patienceMs: 90_000 })
    line = { chainNodes, follower, requests: 0 }
    for (const head of blocks('abc')) await line.follower.offer(head)
    node.asked.length = 0
  })
  const ask = (method: string, ...params: unknown[]) => askForPonder(line, { method, params })

  test('default', async () => {
    expect(await ask('eth_getBlockByHash', hashOf('b'), false)).toEqual({ result: blocks('ab')[1] })
  })

  test('behavior: blocks of the followed chain are requested by hash', async () => {
    await ask('eth_getBlockByNumber', 'latest', false)
    await ask('eth_getBlockByNumber', '0x2', false)
    await ask('eth_getBlockByNumber', '0x9', false)
    expect(node.asked).toEqual([
      `eth_getBlockByHash ${hashOf('c')}`,
      `eth_getBlockByHash ${hashOf('b')}`,
      'eth_getBlockByNumber 0x9',
    ])
  })

  test('behavior: a block whose header shows that it is empty is not requested', async () => {
    const [block] = blocks('d', 4, 'c')
    if (!block) throw new Error('there is a block')
    const transactionsRoot = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421'
    const head = { ...block, transactionsRoot, gasUsed: '0x0' }
    await line.follower.offer(head)
    const { hash } = head
    expect(await ask('eth_getLogs', { blockHash: hash })).toEqual({ result: [] })
    const whole = { result: { ...head, transactions: [] } }
    expect(await ask('eth_getBlockByHash', hash, true)).toEqual(whole)
    expect(await ask('eth_getBlockByNumber', head.number, true)).toEqual(whole)
    expect(node.asked).toEqual([])
  })

  test.each([
    { transactionsRoot: hashOf('t') },
    { gasUsed: '0x5208' },
    { logsBloom: '0x01' as const },
  ])('behavior: with %o in its header, a block is not known to be empty', async (change) => {
    const [block] = blocks('d', 4, 'c')
    if (!block) throw new Error('there is a block')
    const transactionsRoot = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421'
    await line.follower.offer({ ...block, transactionsRoot, gasUsed: '0x0', ...change })
    const logs = [{ blockHash: hashOf('d') }]
    node.ask = async () => ({ kind: 'good', result: logs })
    expect(await ask('eth_getLogs', { blockHash: hashOf('d') })).toEqual({ result: logs })
  })

  test('behavior: a block of the followed chain is requested until the node has it', async () => {
    node.chain = blocks('ab')
    const answer = ask('eth_getBlockByHash', hashOf('c'), false)
    setTimeout(() => {
      node.chain = blocks('abc')
    }, 150)
    expect(await answer).toEqual({ result: blocks('abc')[2] })
    expect(node.asked.length).toBeGreaterThan(2)
  })

  test('behavior: a block that is no longer on the chain is refused at once', async () => {
    expect(await ask('eth_getBlockByHash', hashOf('z'), false)).toEqual({ result: null })
    expect(await ask('eth_getLogs', { blockHash: hashOf('z') })).toEqual(gone)
    expect(node.asked).toHaveLength(2)
  })

  test('behavior: an empty list of logs is not accepted if the bloom filter of the block shows logs', async () => {
    const [head] = blocks('d', 4, 'c')
    if (!head) throw new Error('there is a head')
    await line.follower.offer({ ...head, logsBloom: '0x01' })
    const logs: unknown[] = []
    node.ask = async () => ({ kind: 'good', result: [...logs] })
    setTimeout(() => logs.push({ blockHash: hashOf('d') }), 100)
    expect(await ask('eth_getLogs', { blockHash: hashOf('d') })).toEqual({ result: logs })
    expect(logs).toHaveLength(1)
  })

  test('behavior: the wait for a block ends when a reorganisation removes it', async () => {
    node.chain = blocks('ab')
    const answer = ask('eth_getLogs', { blockHash: hashOf('c') })
    node.chain = [...blocks('ab'), ...blocks('x', 3, 'b')]
    const [, , next] = node.chain
    if (!next) throw new Error('no third block')
    await line.follower.offer(next)
    expect(await answer).toEqual(gone)
  })
})
