import { getAddress, hashTypedData, toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { accountQuoteSigner } from '../signing/quoteSigner.ts'
import type { TransitChain } from '../transitChains.ts'
import { quoteOrderId, quoteTypedData, type TransitQuote } from './quoteTypedData.ts'

const KEY = `0x${'5a'.repeat(32)}` as const
const address = (byte: string) => getAddress(`0x${byte.repeat(20)}`)
const quoteOf = (seed: number): TransitQuote => ({
  route: { destEID: 30_000 + seed, offerAsset: address('0a'), wantAsset: address('0b') },
  offerAmount: 10n ** BigInt(seed),
  receiver: address('0c'),
  protocolFee: BigInt(seed),
  integratorFee: 7n,
  integratorFeeReceiver: address('0d'),
  distributorCode: toHex(seed, { size: 32 }),
  deadline: 1_800_000_000n,
  salt: toHex(seed + 1, { size: 32 }),
})
// Only these parts of a chain are signed.
const chainOf = (chainId: number, station: string) =>
  ({ chainId, station: address(station) }) as TransitChain

test('default: the order id is the EIP-712 digest, for each station', async () => {
  const chains = [chainOf(1, 'e1'), chainOf(4663, 'e1'), chainOf(1, 'e2'), chainOf(1, 'e1')]
  const account = privateKeyToAccount(KEY)
  for (const [seed, source] of chains.entries()) {
    const quote = quoteOf(seed)
    const typed = quoteTypedData(quote, source)
    expect(quoteOrderId(quote, source)).toBe(hashTypedData(typed))
    const signature = await accountQuoteSigner(account).sign(quote, source)
    expect(signature).toBe(await account.signTypedData(typed))
  }
})
