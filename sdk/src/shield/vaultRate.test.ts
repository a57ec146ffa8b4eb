import {
  type Address,
  createPublicClient,
  custom,
  encodeAbiParameters,
  toFunctionSelector,
  zeroAddress,
} from 'viem'
import { expect, test } from 'vitest'
import { BOOK, user } from '../../../test/sdk/hostile/offlineWorld.ts'
import type { BookVault } from './book.ts'
import { sharesAtRate } from './vaultRate.ts'

const [vault] = BOOK.vaults as [BookVault]
const asset = vault.assets[0] as Address
const number = (value: bigint) => encodeAbiParameters([{ type: 'uint256' }], [value])
const RATE = toFunctionSelector('getRateInQuoteSafe(address)')
const FEE = toFunctionSelector('calculateOfferFees(uint256,address,address,address)')

/** viem's client of a node that answers the rate, the fee module, and the fee by `fee`. */
function nodeWith(fee: () => unknown) {
  const request = async ({ params }: { params?: unknown }) => {
    const [{ data }] = params as [{ data: string }]
    if (data.startsWith(RATE)) return number(1_000_000n)
    if (data.startsWith(FEE)) return fee()
    return encodeAbiParameters([{ type: 'address' }], [zeroAddress])
  }
  return createPublicClient({ transport: custom({ request }, { retryCount: 0 }) })
}

const deposit = { asset, amount: 2_000_000n, to: user }
const shares = (fee: () => unknown) => sharesAtRate(nodeWith(fee), vault, deposit)
const failing = (error: object) => () => {
  throw Object.assign(new Error('the node failed'), error)
}

test('default: the fee of the module is taken from the asset', async () => {
  expect(await shares(() => number(500_000n))).toBe(1_500_000n)
})

test('behavior: a module that reverts, or that is none, counts as no fee', async () => {
  expect(await shares(failing({ code: 3, data: '0x' }))).toBe(2_000_000n)
  expect(await shares(() => '0x')).toBe(2_000_000n)
})

test('error: a node that fails is no fee of 0', async () => {
  for (const error of [{ code: -32_005 }, { code: 4_900 }, {}])
    await expect(shares(failing(error))).rejects.toThrow('the node failed')
})
