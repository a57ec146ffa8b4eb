import type { Address } from 'viem'
import { expect, test } from 'vitest'
import { acceptedPayments } from './acceptedPayments.ts'

const [FACTORY, FORMER, USDC, USDT, USDG] = [1, 2, 3, 4, 5].map(
  (digit): Address => `0x${String(digit).repeat(40)}`,
) as [Address, Address, Address, Address, Address]

type Ends = [from: number, offer: Address, to: number, want: Address]

/** Chains with their factories, and routes. */
function book(chains: Record<number, Address[]>, routes: Ends[]) {
  const part = (factory: Address) =>
    ({ generation: 'B', factory, implementation: factory, startBlock: 0 }) as const
  return {
    chains: Object.entries(chains).map(([id, [first, ...others]]) => ({
      id: Number(id),
      smartDeposit: first && {
        ...part(first),
        otherFactories: others.map(part),
        pendingDepth: 1,
      },
    })),
    transitRoutes: routes.map(([sourceChainId, offerAsset, destinationChainId, wantAsset]) => ({
      sourceChainId,
      offerAsset,
      destinationChainId,
      wantAsset,
    })),
  }
}

const CHAINS = { 1: [FACTORY, FORMER], 2: [FORMER, FACTORY], 3: [FORMER], 4: [] }
const HOME = { factoryAddress: FACTORY, chainId: 1, inputToken: USDC } as const

function accepted(generation: 'A' | 'B', ...routes: Ends[]) {
  return acceptedPayments(book(CHAINS, routes), { ...HOME, generation }).map(
    ({ chainId, asset, route }) => [chainId, asset, route !== null],
  )
}

const DIRECT = [1, USDC, false]

test('default: the input token at home, and every token with a route to it', () => {
  expect(accepted('B')).toEqual([DIRECT])
  expect(accepted('B', [2, USDG, 1, USDC], [1, USDT, 1, USDC])).toEqual([
    DIRECT,
    [2, USDG, true],
    [1, USDT, true],
  ])
})

test('behavior: of generation A, the input token alone', () => {
  expect(accepted('A', [2, USDG, 1, USDC])).toEqual([DIRECT])
})

test('behavior: no route to another token or chain', () => {
  expect(accepted('B', [2, USDG, 1, USDT], [2, USDG, 3, USDC])).toEqual([DIRECT])
})

test('behavior: no route from a chain without the factory', () => {
  expect(accepted('B', [3, USDG, 1, USDC], [4, USDG, 1, USDC])).toEqual([DIRECT])
})

test('behavior: what is home needs no order', () => {
  expect(accepted('B', [1, USDC, 1, USDC], [2, USDC, 1, USDC])).toEqual([DIRECT, [2, USDC, true]])
})
