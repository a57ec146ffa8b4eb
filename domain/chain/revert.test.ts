import { createPublicClient, custom, erc20Abi, type Hex, RpcRequestError } from 'viem'
import { describe, expect, test } from 'vitest'
import { revertOf, unlessRefused } from './revert.ts'

type NodeError = { code: number; message: string; data?: unknown }
const DATA: Hex = `0x${'5e'.repeat(4)}`
const HASH: Hex = `0x${'ab'.repeat(32)}`

const errorOf = (error: NodeError) =>
  new RpcRequestError({ body: { method: 'eth_call' }, error, url: 'chain 1' })

describe('revertOf', () => {
  test.each<[Hex, NodeError]>([
    [DATA, { code: 3, message: 'execution reverted', data: DATA }],
    [DATA, { code: 3, message: 'failed', data: DATA }],
    [DATA, { code: -32000, message: 'Execution reverted', data: { data: DATA } }],
    [DATA, { code: -32015, message: 'VM execution error.', data: `Reverted ${DATA}` }],
    ['0x', { code: -32015, message: 'VM execution error.', data: 'revert' }],
    ['0x', { code: -32000, message: 'execution reverted: not now' }],
    ['0x', { code: -32000, message: 'out of gas' }],
  ])('default: %s of %o', async (data, error) => {
    expect(revertOf(errorOf(error), [])).toEqual({ errorName: 'unknown', args: [data] })
    expect(await unlessRefused(Promise.reject(errorOf(error)))).toBeNull()
  })

  test.each<NodeError>([
    { code: -32000, message: 'header not found' },
    { code: -32001, message: 'One of the blocks cannot be found', data: '0x11c528' },
    { code: -32000, message: 'unknown block', data: HASH },
    { code: -32005, message: 'limit exceeded', data: { see: 'https://provider.example' } },
  ])('behavior: %o is no revert', async (error) => {
    expect(revertOf(errorOf(error), [])).toBeNull()
    await expect(unlessRefused(Promise.reject(errorOf(error)))).rejects.toThrow()
  })

  test('behavior: a fault of the node is none, though viem says that the function reverted', async () => {
    const request = async () => {
      throw errorOf({ code: -32603, message: 'Internal error' })
    }
    const client = createPublicClient({ transport: custom({ request }, { retryCount: 0 }) })
    const call = { address: `0x${'11'.repeat(20)}`, abi: erc20Abi } as const
    const read = client.readContract({ ...call, functionName: 'totalSupply' })
    const error = await read.catch((thrown: Error) => thrown)
    expect(String(error)).toContain('reverted')
    expect(revertOf(error, [])).toBeNull()
  })
})
