import { encodeFunctionData, erc20Abi, getAddress, parseEther, parseUnits } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DEVNET_ACTORS, userAt } from '../../devnet/accounts.ts'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import type { TokenSymbol } from '../../devnet/plan.ts'
import { accountantOperatorAbi } from '../../devnet/vaults/operatorAbis.ts'
import { sendCall } from '../../devnet/vaults/sendCall.ts'
import { undescribed } from '../support/describedAnswer.ts'
import { getJson } from '../support/getJson.ts'
import type { TestProduct } from '../support/product.ts'
import {
  type PlacedOrder,
  type QueueClient,
  queueClient,
  startWithdrawalProduct,
} from '../support/withdrawalProduct.ts'

/** Demand from the index against balances from the chain; every figure is computed by hand. */

type Shortfall = Record<string, string | number> & { assetAddress: string }
type Body = { liquidityShortfalls: Shortfall[]; nextPageToken: string | null }

const user = userAt(0)
const { USDC, USDS, USDT } = DEPLOYMENT.tokens
let product: TestProduct
let prime: QueueClient
let dollar: QueueClient
let cancelledLater: PlacedOrder
const primeOrders: PlacedOrder[] = []

/**
 * Prime: 18 decimals, 1 share is 1.003000000000000007 dollars; of USDC and USDS it takes 10 bps and 0.05
 * dollars, which are 0.049850448654037887 shares in USDC and one unit less in USDS; of USDG nothing.
 * Dollar: 6 decimals, 1 share is 1.004999 dollars; it takes 10 bps.
 */
beforeAll(async () => {
  product = await startWithdrawalProduct()
  prime = queueClient(product, 'Harbor Prime')
  dollar = queueClient(product, 'Harbor Dollar')
  await prime.deposit(user, 'USDG', parseUnits('10000', 6))
  await dollar.deposit(user, 'USDG', parseUnits('1000', 6))
  await setRate(prime, 1_003_000_000_000_000_007n)
  await setRate(dollar, 1_004_999n)
  const submit = async (shares: bigint, want: TokenSymbol) => {
    const order = await prime.submit({ shares, want })
    primeOrders.push(order)
    return order
  }
  await submit(parseEther('100'), 'USDC')
  // Less than its fee, so nothing would be paid for it.
  await submit(parseEther('0.04'), 'USDC')
  await submit(33_333_333_333_333_333_333n, 'USDC')
  await prime.cancel(user, await submit(parseEther('500'), 'USDC'))
  await submit(parseEther('10'), 'USDS')
  // The vault has enough of that asset.
  await submit(parseEther('50'), 'USDG')
  cancelledLater = await submit(parseEther('7'), 'USDC')
  await give(prime, 'USDC', parseUnits('100', 6))
  await dollar.submit({ shares: 12_345_678n, want: 'USDT' })
  // Rates can still be read.
  await callAccountant(prime, 'pause')
  await prime.untilIndexed()
})
afterAll(() => product?.stop())

/** The age of a row whose chain was read now. */
const FRESH = { stale: false, asOf: expect.any(String) }
const ofPrime = () => ({
  vaultAddress: getAddress(prime.deployment.vault),
  chainId: 1,
  ...FRESH,
  blockedBy: null,
})
const usds = () => ({
  ...ofPrime(),
  assetAddress: getAddress(USDS),
  pendingOrderCount: 1,
  vaultBalance: '0',
  pendingShares: String(parseEther('10')),
  // (10 - 0.01 - 0.049850448654037886) x 1.003000000000000007, floored.
  pendingAssets: '9969970000000000069',
  shortfall: '9969970000000000069',
})
const usdt = () => ({
  vaultAddress: getAddress(dollar.deployment.vault),
  chainId: 1,
  ...FRESH,
  blockedBy: null,
  assetAddress: getAddress(USDT),
  pendingOrderCount: 1,
  pendingShares: '12345678',
  // The fee is 12346: (12345678 - 12346) x 1004999 / 10^6, floored.
  pendingAssets: '12394986',
  vaultBalance: '0',
  shortfall: '12394986',
})

describe('liquidity shortfalls', () => {
  test('default: what the waiting orders come to, one by one, against what there is', async () => {
    const usdc = {
      ...ofPrime(),
      assetAddress: getAddress(USDC),
      pendingOrderCount: 4,
      pendingShares: '140373333333333333333',
      // 100149699 + 0 + 33349899 + 6963978
      pendingAssets: '140463576',
      vaultBalance: '100000000',
      shortfall: '40463576',
    }
    const { url, status, headers, body } = await ask()
    expect(body).toEqual({
      liquidityShortfalls: inOrder([usdc, usds(), usdt()]),
      nextPageToken: null,
      tokenMetadata: expect.objectContaining({
        [`1:${getAddress(USDC)}`]: expect.objectContaining({ symbol: 'USDC' }),
      }),
    })
    expect(undescribed(url, status, body)).toEqual([])
    expect(headers.get('cache-control')).toBe('private, max-age=10')
    expect(headers.get('x-indexed-blocks')).toMatch(/^1=\d+$/)
  })

  test('behavior: a cancelled order asks for nothing any more', async () => {
    await prime.cancel(user, cancelledLater)
    await prime.untilIndexed()
    const usdc = {
      ...ofPrime(),
      assetAddress: getAddress(USDC),
      pendingOrderCount: 3,
      pendingShares: '133373333333333333333',
      pendingAssets: '133499598',
      vaultBalance: '100000000',
      shortfall: '33499598',
    }
    const { body } = await ask(`vaultAddress = ${prime.deployment.vault}`)
    expect(body.liquidityShortfalls).toEqual(inOrder([usdc, usds()]))
  })

  test('behavior: what is lacking is what the queue then pays, to the unit', async () => {
    await callAccountant(prime, 'unpause')
    await give(prime, 'USDC', 33_499_598n)
    await give(prime, 'USDS', 9_969_970_000_000_000_069n)
    await prime.process(primeOrders.length)
    await prime.untilIndexed()
    const requests = await Promise.all(primeOrders.map((order) => prime.read(order)))
    expect(requests.map((request) => [request?.status, request?.assetsOut])).toEqual([
      ['COMPLETE', '100149699'],
      ['REFUNDED', null],
      ['COMPLETE', '33349899'],
      ['REFUNDED', null],
      ['COMPLETE', '9969970000000000069'],
      ['COMPLETE', '50150000'],
      ['REFUNDED', null],
    ])
    for (const token of ['USDC', 'USDS'] as const)
      expect(await prime.balance(token, prime.deployment.vault)).toBe(0n)
    // All requests within a second share one answer.
    await expect.poll(async () => (await ask()).body.liquidityShortfalls).toEqual([usdt()])
  })
})

function ask(filter?: string) {
  const query = new URLSearchParams(filter ? { filter } : {})
  return getJson<Body>(`${product.url}/v2/earn/liquidityShortfalls?${query}`)
}

/** By vault and asset. */
function inOrder<Row extends { vaultAddress: string; assetAddress: string }>(rows: Row[]) {
  const place = (row: Row) => `${row.vaultAddress} ${row.assetAddress}`.toLowerCase()
  return rows.toSorted((a, b) => (place(a) < place(b) ? -1 : 1))
}

async function give({ deployment }: QueueClient, token: TokenSymbol, amount: bigint) {
  await sendCall(product.world, 1, {
    account: userAt(1),
    address: DEPLOYMENT.tokens[token],
    data: encodeFunctionData({
      abi: erc20Abi,
      functionName: 'transfer',
      args: [deployment.vault, amount],
    }),
  })
}

async function setRate({ client, deployment }: QueueClient, rate: bigint) {
  await client.increaseTime({ seconds: 10 })
  await sendCall(product.world, 1, {
    account: DEVNET_ACTORS.rateUpdater,
    address: deployment.current.accountant,
    data: encodeFunctionData({
      abi: accountantOperatorAbi,
      functionName: 'updateExchangeRate',
      args: [rate],
    }),
  })
}

function callAccountant({ deployment }: QueueClient, functionName: 'pause' | 'unpause') {
  return sendCall(product.world, 1, {
    account: DEVNET_ACTORS.vaultDeployer,
    address: deployment.current.accountant,
    data: encodeFunctionData({ abi: accountantOperatorAbi, functionName }),
  })
}
