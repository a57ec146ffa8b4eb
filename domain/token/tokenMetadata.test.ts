import type { Address } from 'viem'
import { describe, expect, test } from 'vitest'
import { ServiceError } from '../error/serviceError.ts'
import { tokenMetadata } from './tokenMetadata.ts'
import type { Token, TokenReader } from './tokenReader.ts'

const ADDRESS: Address = '0xd8da6bf26964af9d7eed9e03e53415d37aa96045'
const CHECKSUM = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'

function token(chainId: number, decimals: number): Token {
  return { chainId, address: ADDRESS, name: 'N', symbol: 'S', decimals, tokenStandard: 'ERC20' }
}

function reader(listed: Token[], onChain: Token[] = []): TokenReader {
  const among = (all: Token[]) => (chainId: number) => all.find((one) => one.chainId === chainId)
  return {
    listed: among(listed),
    known: among(listed),
    async get(chainId) {
      const found = among([...listed, ...onChain])(chainId)
      if (!found) throw new ServiceError('RPC_UNAVAILABLE', 'not a token')
      return found
    },
  }
}

function wanted(...chainIds: number[]) {
  return chainIds.map((chainId) => ({ chainId, address: ADDRESS }))
}

describe('tokenMetadata', () => {
  test('default', () => {
    const entry = {
      chain_id: '1',
      address: CHECKSUM,
      name: 'N',
      symbol: 'S',
      decimals: '6',
      token_standard: 'ERC20',
    }
    expect(tokenMetadata({ tokens: reader([token(1, 6)]) }, wanted(1))).toEqual({
      [`1:${CHECKSUM}`]: entry,
      [CHECKSUM]: entry,
    })
  })

  test('behavior: on a clash of decimals the bare key is left out', () => {
    const map = tokenMetadata({ tokens: reader([token(1, 6), token(8453, 18)]) }, wanted(1, 8453))
    expect(Object.keys(map)).toEqual([`1:${CHECKSUM}`, `8453:${CHECKSUM}`])
  })

  test('behavior: the chain is asked for unlisted tokens; a token that it lacks is left out', async () => {
    const tokens = reader([token(1, 6)], [token(2201, 6)])
    const map = await tokenMetadata({ tokens }, wanted(1, 2201, 999))
    expect(Object.keys(map).sort()).toEqual([CHECKSUM, `1:${CHECKSUM}`, `2201:${CHECKSUM}`])
  })
})
