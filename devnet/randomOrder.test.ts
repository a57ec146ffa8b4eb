import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseAddressBook } from '../domain/addressBook/addressBook.ts'
import { DEVNET_ACTORS } from './accounts.ts'
import { DEPLOYMENT } from './deployment.ts'
import { localAddressBook } from './localAddressBook.ts'
import { randomOrder } from './randomOrder.ts'

const book = parseAddressBook(localAddressBook(DEPLOYMENT, [1, 4663]), 'the local world')
const user = DEVNET_ACTORS.integrator

describe('randomOrder', () => {
  test('behavior: every order is over a route of the book and within its sizes', () => {
    const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
    fc.assert(
      fc.property(chance, chance, (first, second) => {
        const draws = [first, second]
        const order = randomOrder(book.transitRoutes, user, () => draws.shift() ?? 0)
        const route = book.transitRoutes.find(
          (entry) =>
            entry.sourceChainId === order.sourceChainId &&
            entry.destinationChainId === order.destinationChainId &&
            entry.offerAsset === order.offerAsset &&
            entry.wantAsset === order.wantAsset,
        )
        const smallest = BigInt(route?.minOrderSize ?? 0)
        expect(smallest).toBeGreaterThan(0n)
        expect(order.offerAmount).toBeGreaterThanOrEqual(smallest)
        expect(order.offerAmount).toBeLessThan(smallest * 1_000n)
      }),
    )
  })

  test('error: no routes', () => {
    expect(() => randomOrder([], user)).toThrow('Invariant(randomOrder)')
  })
})
