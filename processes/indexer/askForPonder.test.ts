import { bytesToHex, pad, zeroHash } from 'viem'
import { beforeEach, describe, expect, test } from 'vitest'
import { createChainNodes } from '../../domain/chain/chainNodes.ts'
import type { BlockHeader } from '../../domain/chain/judgeResult.ts'
import { bloomOf } from '../../domain/chain/logsBloom.ts'
import { blocks, hashOf, type ScriptedNode, scriptedNode } from '../../test/support/scriptedNode.ts'
import { createLogger } from '../logger.ts'
import { askForPonder, type PonderLine } from './askForPonder.ts'
import { createBlockTransactions } from './blockTransactions.ts'
import { createChainFollower } from './chainFollower.ts'

const refused = (message: string) => ({ error: { code: -32601, message } })
const gone = refused('the block is not on the chain any more')
const OURS = pad('0x0a', { size: 20 })
const lacking = refused('no node shows all logs of the block')

describe('askForPonder', () => {
  let node: ScriptedNode
  let line: PonderLine

  beforeEach(async () => {
    node = scriptedNode(blocks('abc'))
    const chainNodes = createChainNodes(1, [node])
    const logger = createLogger('test', 'silent')
    const follower = createChainFollower({ chainId: 1, chainNodes, logger, patienceMs: 90_000 })
    const counts = { requests: 0, doubts: new Map(), unexplained: 0 }
    const contracts = new Set([OURS])
    const transactions = createBlockTransactions(chainNodes)
    line = { finalityDepth: 30, contracts, chainNodes, follower, transactions, logger, ...counts }
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
    { logsBloom: bytesToHex(bloomOf([log('d')])) },
  ])('behavior: with %o in its header, a block is not known to be empty', async (change) => {
    const [block] = blocks('d', 4, 'c')
    if (!block) throw new Error('there is a block')
    const transactionsRoot = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421'
    await line.follower.offer({ ...block, transactionsRoot, gasUsed: '0x0', ...change })
    const logs: unknown[] = [log('d')]
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
    await line.follower.offer({ ...head, logsBloom: bytesToHex(bloomOf([log('d')])) })
    const logs: unknown[] = []
    node.ask = async () => ({ kind: 'good', result: [...logs] })
    setTimeout(() => logs.push(log('d')), 100)
    expect(await ask('eth_getLogs', { blockHash: hashOf('d') })).toEqual({ result: logs })
    expect(logs).toHaveLength(1)
  })

  test('behavior: a list of logs that lacks one is not accepted, whether it is the last one or not', async () => {
    const all = [log('d', 'a'), log('d', 'b'), log('d', 'c')]
    const [head] = blocks('d', 4, 'c')
    if (!head) throw new Error('there is a head')
    await line.follower.offer({ ...head, logsBloom: bytesToHex(bloomOf(all)) })
    for (const hidden of all) {
      let shown = all.filter((one) => one !== hidden)
      node.ask = async () => ({ kind: 'good', result: shown })
      setTimeout(() => {
        shown = all
      }, 100)
      expect(await ask('eth_getLogs', { blockHash: hashOf('d') })).toEqual({ result: all })
    }
  })

  test('behavior: another node has the log that one leaves out', async () => {
    const all = [log('d', 'a'), log('d', 'b')]
    const [head] = blocks('d', 4, 'c')
    if (!head) throw new Error('there is a head')
    const other = scriptedNode(node.chain)
    node.ask = async () => ({ kind: 'good', result: all.slice(0, 1) })
    other.ask = async () => ({ kind: 'good', result: all })
    line.chainNodes = createChainNodes(1, [node, other])
    await line.follower.offer({ ...head, logsBloom: bytesToHex(bloomOf(all)) })
    expect(await ask('eth_getLogs', { blockHash: hashOf('d') })).toEqual({ result: all })
  })

  test('behavior: the logs of final blocks are those that any node shows', async () => {
    line.finalityDepth = 150
    const tipAt = (number: number) => () => blocks('d', number, 'c')[0]
    const other = scriptedNode(node.chain)
    line.chainNodes = createChainNodes(1, [node, other])
    const all = [1, 2].map((index) => ({ ...log('b'), blockNumber: '0x2', logIndex: `0x${index}` }))
    node.ask = async () => ({ kind: 'good', result: all.slice(0, 1) })
    other.ask = async () => ({ kind: 'good', result: all.slice(1) })
    const range = { fromBlock: '0x1', toBlock: '0x3' }
    expect(await ask('eth_getLogs', range)).toEqual({ result: all.slice(0, 1) })
    line.follower.tip = tipAt(152)
    expect(await ask('eth_getLogs', range)).toEqual({ result: all.slice(0, 1) })
    line.follower.tip = tipAt(153)
    expect(await ask('eth_getLogs', range)).toEqual({ result: all })
  })

  describe('logs of transactions that the block does not list', () => {
    const [head] = blocks('d', 4, 'c') as [BlockHeader]
    const transaction = { hash: hashOf('t'), transactionIndex: '0x0' }
    const of = (
      one: ReturnType<typeof log>,
      transactionHash: string,
      transactionIndex = '0x0',
    ) => ({
      ...one,
      transactionHash,
      transactionIndex,
    })
    const ours = { ...log('d'), address: OURS }
    const listed = of(log('d', 'b'), hashOf('t'))
    const foreign = of(log('d', 'c'), hashOf('u'), '0x7')

    /** Answers with these logs. */
    async function show(shown: object[], filtered = shown, nodes = [node]) {
      for (const one of nodes)
        one.ask = async ({ method }) => ({
          kind: 'good',
          result: method === 'eth_getLogs' ? shown : { ...head, transactions: [transaction] },
        })
      const logsBloom = bytesToHex(bloomOf(filtered as ReturnType<typeof log>[]))
      await line.follower.offer({ ...head, logsBloom })
    }
    const askLogs = () => ask('eth_getLogs', { blockHash: hashOf('d') })

    test('behavior: those of other contracts are left out', async () => {
      await show([foreign, listed, foreign], [listed])
      expect(await askLogs()).toEqual({ result: [listed] })
    })

    test('behavior: they are counted in the filter before', async () => {
      await show([foreign, listed])
      expect(await askLogs()).toEqual({ result: [listed] })
    })

    test('behavior: where all would be left out, one is without a transaction', async () => {
      await show([foreign, foreign])
      expect(await askLogs()).toEqual({ result: [{ ...foreign, transactionHash: zeroHash }] })
    })

    test('behavior: one of our contracts is passed on as it is', async () => {
      const unknown = of(ours, hashOf('u'), '0x7')
      await show([unknown, listed])
      expect(await askLogs()).toEqual({ result: [unknown, listed] })
    })

    test('behavior: another node knows the transaction', async () => {
      const known = of(ours, hashOf('t'))
      const other = scriptedNode(node.chain)
      line.chainNodes = createChainNodes(1, [node, other])
      await show([known], [known], [other])
      await show([of(ours, hashOf('u'))], [known])
      expect(await askLogs()).toEqual({ result: [known] })
    })

    test('behavior: a wrong index of a listed transaction is corrected', async () => {
      await show([of(ours, hashOf('t'), '0x5')])
      expect(await askLogs()).toEqual({ result: [of(ours, hashOf('t'), '0x0')] })
    })

    test('behavior: the block is not asked for twice', async () => {
      await show([listed])
      const { ask: answer } = node
      const methods: string[] = []
      node.ask = (request) => {
        methods.push(request.method)
        return answer(request)
      }
      await Promise.all([ask('eth_getBlockByHash', hashOf('d'), true), askLogs()])
      expect(methods.sort()).toEqual(['eth_getBlockByHash', 'eth_getLogs'])
    })
  })

  test('behavior: where filters contain logs that no node shows, blocks are held up no more after the third', async () => {
    const shown = [log('d', 'a')]
    const [head] = blocks('d', 4, 'c')
    if (!head) throw new Error('there is a head')
    node.ask = async () => ({ kind: 'good', result: shown })
    await line.follower.offer({
      ...head,
      logsBloom: bytesToHex(bloomOf([...shown, log('d', 'b')])),
    })
    const request = { method: 'eth_getLogs', params: [{ blockHash: hashOf('d') }] }
    const held = (doubtMs: number) => askForPonder(line, request, { holdMs: 50, doubtMs })
    expect(await held(60_000)).toEqual(lacking)
    for (let count = 0; count < 3; count += 1) expect(await held(0)).toEqual({ result: shown })
    expect(await held(60_000)).toEqual({ result: shown })
    const all = [...shown, log('d', 'b')]
    node.ask = async () => ({ kind: 'good', result: all })
    expect(await ask('eth_getLogs', { blockHash: hashOf('d') })).toEqual({ result: all })
    expect(line.unexplained).toBe(0)
  })

  test('behavior: a doubtful block that has left the chain is remembered no more', async () => {
    node.ask = async () => ({ kind: 'good', result: [log('x', 'a')] })
    for (const name of ['d', 'e']) {
      const [head] = blocks(name, 4, 'c')
      if (!head) throw new Error('there is a head')
      const logsBloom = bytesToHex(bloomOf([log(name, 'a'), log(name, 'b')]))
      line.follower.get = (hash) => (hash === head.hash ? { ...head, logsBloom } : undefined)
      const request = { method: 'eth_getLogs', params: [{ blockHash: head.hash }] }
      expect(await askForPonder(line, request, { holdMs: 50 })).toEqual(lacking)
    }
    expect([...line.doubts.keys()]).toEqual([hashOf('e')])
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

/** A log of a block, by an address that its name stands for. */
function log(block: string, name = 'a') {
  const address = pad(`0x${name.charCodeAt(0).toString(16)}`, { size: 20 })
  return { blockHash: hashOf(block), address, topics: [hashOf(name)] }
}
