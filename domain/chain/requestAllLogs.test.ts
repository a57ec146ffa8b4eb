import { describe, expect, test } from 'vitest'
import { blocks, hashOf, type ScriptedNode, scriptedNode } from '../../test/support/scriptedNode.ts'
import { createChainNodes } from './chainNodes.ts'
import { requestAllLogs } from './requestAllLogs.ts'

const RANGE = { fromBlock: 1n, toBlock: 3n }
const log = (block: number, index: number) => ({
  blockHash: hashOf('abc'[block - 1] ?? ''),
  blockNumber: `0x${block}`,
  logIndex: `0x${index}`,
})
const ALL = [log(1, 0), log(2, 0), log(2, 1), log(3, 5)]

function nodeWith(logs: object[] | 'silent' | 'failing'): ScriptedNode {
  const node = scriptedNode(blocks('abc'))
  node.ask = async () => {
    if (logs === 'silent') return new Promise(() => {})
    if (logs === 'failing') throw new Error('down')
    return { kind: 'good', result: logs }
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
