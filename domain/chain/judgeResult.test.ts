import { describe, expect, test } from 'vitest'
import { blocks, hashOf } from '../../test/support/scriptedNode.ts'
import { judgeResult } from './judgeResult.ts'

const [block] = blocks('a', 7)
const log = {
  blockHash: hashOf('a'),
  blockNumber: '0x7',
  transactionHash: hashOf('t'),
  logIndex: '0x0',
}
const of = (name: string) => ({ transactionHash: hashOf(name), blockHash: hashOf('a'), logs: [] })
const receipt = of('t')
const byHash = { blockHash: hashOf('a') }
const range = { fromBlock: '0x5', toBlock: '0x7' }

describe('judgeResult', () => {
  test.each([
    ['eth_chainId', [], '0x1', 'good'],
    ['eth_chainId', [], 1, 'garbage'],
    ['eth_blockNumber', [], 'soon', 'garbage'],
    ['eth_getBlockByNumber', ['0x7', false], block, 'good'],
    ['eth_getBlockByNumber', ['latest', false], block, 'good'],
    ['eth_getBlockByNumber', ['0x7', false], null, 'absent'],
    ['eth_getBlockByNumber', ['0x8', false], block, 'garbage'],
    ['eth_getBlockByNumber', ['0x7', false], { ...block, hash: '0x1' }, 'garbage'],
    ['eth_getBlockByHash', [hashOf('a'), true], block, 'good'],
    ['eth_getBlockByHash', [hashOf('b'), true], block, 'garbage'],
    ['eth_getLogs', [byHash], [log], 'good'],
    ['eth_getLogs', [byHash], [{ ...log, blockHash: hashOf('b') }], 'garbage'],
    ['eth_getLogs', [range], [log], 'good'],
    ['eth_getLogs', [range], [], 'good'],
    ['eth_getLogs', [range], [{ ...log, blockNumber: '0x8' }], 'garbage'],
    ['eth_getLogs', [range], {}, 'garbage'],
    ['eth_getLogs', [range], [{ ...log, transactionHash: undefined }], 'garbage'],
    ['eth_getLogs', [range], [{ ...log, logIndex: null }], 'garbage'],
    ['eth_getTransactionReceipt', [hashOf('t')], receipt, 'good'],
    ['eth_getTransactionReceipt', [hashOf('j').toUpperCase()], of('j'), 'good'],
    ['eth_getTransactionReceipt', [hashOf('t')], null, 'absent'],
    ['eth_getTransactionReceipt', [hashOf('t')], { ...receipt, blockHash: null }, 'absent'],
    ['eth_getTransactionReceipt', [hashOf('u')], receipt, 'garbage'],
    ['eth_getTransactionReceipt', [hashOf('t')], { ...receipt, logs: null }, 'garbage'],
    ['eth_getBalance', [], `0x${'f'.repeat(30)}`, 'good'],
    ['eth_getTransactionCount', [], null, 'garbage'],
    ['eth_estimateGas', [], '0x5208', 'good'],
    ['eth_maxPriorityFeePerGas', [], {}, 'garbage'],
    ['eth_sendRawTransaction', [], hashOf('t'), 'good'],
    ['eth_sendRawTransaction', [], null, 'garbage'],
    ['eth_call', [], '0x', 'good'],
    ['eth_call', [], '0x00ff', 'good'],
    ['eth_call', [], 'whatever', 'garbage'],
    ['eth_call', [], '0x0', 'garbage'],
    ['eth_gasPrice', [], '0x3b9aca00', 'good'],
    ['eth_gasPrice', [], 7, 'garbage'],
    ['eth_unknown', [], 'whatever', 'good'],
  ])('%s of %j is %j: %s', (method, params, result, judgement) => {
    expect(judgeResult({ method, params }, result)).toBe(judgement)
  })
})
