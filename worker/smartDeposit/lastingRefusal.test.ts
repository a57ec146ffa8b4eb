import { RpcRequestError } from 'viem'
import { describe, expect, test } from 'vitest'
import { ServiceError } from '../../domain/error/serviceError.ts'
import { lastingRefusal } from './lastingRefusal.ts'

const answered = (message: string) =>
  new RpcRequestError({ body: {}, error: { code: -32000, message }, url: 'chain 1' })

describe('lastingRefusal', () => {
  test.each([
    // geth
    'intrinsic gas too low: gas 20000, minimum needed 21000',
    'insufficient gas for floor data gas cost: gas 21000, minimum needed 21040',
    'exceeds block gas limit',
    'transaction gas limit too high (cap: 16777216, tx: 21000000)',
    'oversized data: transaction size 131100, limit 131072',
    // Erigon
    'intrinsic gas too low',
    'gas limit is too high',
    'oversized data',
    // Nethermind
    'IntrinsicGasTooLow: gas limit is below intrinsic gas.',
    'GasLimitExceeded, Gas limit: 30000000, gas limit of rejected tx: 40000000',
    'gas limit reached',
    'MaxTxSizeExceeded',
    'transaction too large',
    // reth
    "transaction's gas limit 40000000 exceeds block's gas limit 30000000",
    'transaction gas limit 40000000 is more than blocks available gas 30000000',
    'transaction gas limit (30000000) is greater than the cap (16777216)',
    'exceeds maximum transaction gas limit',
    'caller gas limit exceeds the block gas limit',
    'call gas cost (21432) exceeds the gas limit (21000)',
    'gas floor (21640) exceeds the gas limit (21500)',
    // Besu
    'Intrinsic gas exceeds gas limit',
    'Transaction gas limit exceeds block gas limit',
    // anvil
    'intrinsic gas too high -- tx.gas_limit > env.block.gas_limit',
    'Transaction gas limit is greater than the block gas limit, gas_limit: 30000000',
  ])('default: for good: %s', (text) => {
    expect(lastingRefusal(answered(text))).toBe(text)
  })

  test.each([
    'insufficient funds for gas * price + value: balance 0, tx cost 42000',
    'Insufficient funds for gas * price + value',
    'Upfront cost exceeds account balance',
    'lack of funds (0) for max fee (42000)',
    'txpool is full',
    'pending sub-pool is full',
    'pool is full',
    'account limit exceeded: pooled 17 txs',
    'limit exceeded',
    'daily request limit exceeded',
    'nonce too high',
    'nonce gap',
    'internal error',
    'multiple errors',
    'already known',
    'transaction underpriced',
    'replacement transaction underpriced',
    'max fee per gas less than block base fee',
    'transaction gas price below minimum: gas tip cap 1, minimum needed 1000000',
    'tx fee (1.10 ether) exceeds the configured cap (1.00 ether)',
    'FeeTooLow',
    'method handler crashed',
    'the method is not available',
  ])('behavior: can pass: %s', (text) => {
    expect(lastingRefusal(answered(text))).toBeNull()
  })

  test('behavior: looks into the error of a service', () => {
    const cause = answered('exceeds block gas limit')
    const error = new ServiceError('RPC_UNAVAILABLE', 'No node answers', { cause })
    expect(lastingRefusal(error)).toBe('exceeds block gas limit')
  })

  test('behavior: no node has answered', () => {
    expect(lastingRefusal(new Error('exceeds block gas limit'))).toBeNull()
  })
})
