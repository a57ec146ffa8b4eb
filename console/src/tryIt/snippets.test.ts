import { expect, test } from 'vitest'
import { writeCurl, writeGraphql, writeTypescript } from './snippets.ts'
import type { Exchange } from './step.ts'

const address = '0xA5Cd860776d8803C9CcEb805E2Af1c2beAc3a0DA'

function exchange(operation: string, path: string): Exchange {
  const sent = { operation, method: 'GET', url: `https://api.example${path}`, body: null }
  return { ...sent, status: 200, answer: '{}', durationMs: 1, count: 1 }
}

const deposit = exchange(
  'deposit',
  `/v2/earn/deposit?chainId=1&vaultAddress=${address}&depositAmount=5&simulate=true&responseFormat=full`,
)

test('default: a request as curl, with a key where one is needed', () => {
  expect(writeCurl(deposit)).toBe(`curl '${deposit.url}' \\\n  -H "x-api-key: $API_KEY"`)
  const quote = exchange('getOrderQuote', '/v1/transit/orders/quote?offerAmount=5')
  expect(writeCurl(quote)).toBe(`curl '${quote.url}'`)
})

test('default: the same in GraphQL, without what only REST has', () => {
  const text = writeGraphql('deposit', deposit)
  expect(text).toContain(
    `deposit(\n    chainId: 1\n    vaultAddress: "${address}"\n    depositAmount: "5"\n    simulate: true\n  )`,
  )
  expect(text).toContain('expectedShares')
  const order = exchange('getTransitOrder', '/v1/transit/orders/0xab?waitSeconds=10')
  expect(writeGraphql('getTransitOrder', order)).toContain('transitOrder(\n    id: "0xab"\n  )')
})

test('default: the same with the client, amounts as bigint', () => {
  expect(writeTypescript('deposit', deposit)).toContain(
    `causeway.earn.prepareDeposit({\n  chainId: 1,\n  vaultAddress: '${address}',\n  depositAmount: 5n,\n  simulate: true,`,
  )
  const list = exchange('listUserPositions', `/v2/earn/userPositions?userAddress=${address}`)
  expect(writeTypescript('listUserPositions', list)).toMatch(
    /userPositions\(\{[^}]+\}\)\.page\(\)$/,
  )
  const quote = exchange('getOrderQuote', '/v1/transit/orders/quote?offerAmount=5&indicative=true')
  expect(writeTypescript('getOrderQuote', quote)).toMatch(
    /transit\.indicativeQuote\(\{\n {2}offerAmount: 5n,\n\}\)$/,
  )
})

test('behavior: a quote in a URL does not end the argument of the shell', () => {
  const odd = exchange('listUserPositions', `/v2/earn/userPositions?filter=it's`)
  expect(writeCurl(odd)).toContain(`filter=it'\\''s'`)
})
