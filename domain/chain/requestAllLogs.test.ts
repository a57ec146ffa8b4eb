import { describe, expect, test } from 'vitest'
import { blocks, hashOf, type ScriptedNode, scriptedNode } from '../../test/support/scriptedNode.ts'
import { createChainNodes } from './chainNodes.ts'
import { requestAllLogs } from './requestAllLogs.ts'

const RANGE = { fromBlock: 1n, toBlock: 3n }
const log = (block: number, index: number) => ({
  blockHash: hashOf('abc'[block - 1] ?? ''),
  blockNumber: `0x${block}`,
  transactionHash: hashOf(`${block}`),
  logIndex: `0x${index}`,
  address: '0xaa',
  topics: [hashOf('t')],
  data: '0x',
})
const ALL = [log(1, 0), log(2, 0), log(2, 1), log(3, 5)]

/** A node that shows these logs; its receipts show those of `receipts`. */
function nodeWith(
  logs: object[] | 'silent' | 'failing',
  receipts: ReturnType<typeof log>[] = [],
): ScriptedNode {
  const node = scriptedNode(blocks('abc'))
  node.ask = async ({ method, params }) => {
    if (logs === 'silent') return new Promise(() => {})
    if (logs === 'failing') throw new Error('down')
    if (method === 'eth_getLogs') return { kind: 'good', result: logs }
    const [hash] = params as string[]
    const ofTransaction = receipts.filter(({ transactionHash }) => transactionHash === hash)
    return ofTransaction.length > 0
      ? { kind: 'good', result: { logs: ofTransaction } }
      : { kind: 'absent', result: null }
  }
  return node
}

const ask = (...nodes: ScriptedNode[]) => requestAllLogs(createChainNodes(1, nodes), {}, RANGE)

describe('requestAllLogs', () => {
  test('default: one node', async () => {
    expect(await ask(nodeWith(ALL))).toEqual({ result: ALL })
  })

  test('behavior: what one node leaves out, another shows', async () => {
    const [first, second, third, fourth] = ALL
    const some = [
      nodeWith([first, third] as object[]),
      nodeWith([second, third, fourth] as object[]),
    ]
    expect(await ask(...some)).toEqual({ result: ALL })
    expect(await ask(...some.toReversed())).toEqual({ result: ALL })
    expect(await ask(nodeWith([]), nodeWith(ALL))).toEqual({ result: ALL })
  })

  test.each([
    ['with another index', { logIndex: '0x7' }],
    ['with other topics', { topics: [hashOf('u')] }],
    ['of a replaced block', { blockHash: hashOf('z') }],
  ])(
    'behavior: a log %s, which the receipt of its transaction lacks, is not taken',
    async (_, wrong) => {
      const [first, ...others] = ALL
      const phantom = { ...first, ...wrong }
      const nodes = [nodeWith(ALL, ALL), nodeWith([phantom, ...others], ALL)]
      expect(await ask(...nodes)).toEqual({ result: ALL })
      expect(await ask(...nodes.toReversed())).toEqual({ result: ALL })
      const more = [nodeWith(ALL, ALL), nodeWith([...ALL, phantom], ALL)]
      expect(await ask(...more)).toEqual({ result: ALL })
    },
  )

  test('behavior: no receipts are read where one node has no old logs', async () => {
    const many = Array.from({ length: 201 }, (_, index) => ({
      ...log(1, index),
      transactionHash: `0x${index}`,
    }))
    const node = nodeWith(many)
    const { ask: answer } = node
    const methods = new Set<string>()
    node.ask = (request) => {
      methods.add(request.method)
      return answer(request)
    }
    const { result } = (await ask(node, nodeWith([]))) as { result: unknown[] }
    expect(result).toHaveLength(201)
    expect([...methods]).toEqual(['eth_getLogs'])
  })

  test('behavior: a node that fails or is silent is not waited for long', async () => {
    expect(await ask(nodeWith('failing'), nodeWith(ALL))).toEqual({ result: ALL })
    const start = Date.now()
    expect(await ask(nodeWith('silent'), nodeWith(ALL))).toEqual({ result: ALL })
    expect(Date.now() - start).toBeLessThan(1_500)
  })

  test('behavior: a node that gives the logs of fewer blocks is not asked', async () => {
    const narrow = nodeWith('failing')
    narrow.mostLogBlocks = () => 2
    narrow.ask = async () => {
      throw new Error('it was asked')
    }
    expect(await ask(narrow, nodeWith(ALL))).toEqual({ result: ALL })
  })

  test('error: no node answers', async () => {
    await expect(ask(nodeWith('failing'), nodeWith('failing'))).rejects.toThrow()
  })
})
