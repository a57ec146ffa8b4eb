import { type Address, erc20Abi, type LocalAccount, parseUnits } from 'viem'
import { describe, expect, test } from 'vitest'
import { userAt } from '../../devnet/accounts.ts'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import type { TokenSymbol } from '../../devnet/plan.ts'
import { vaultDeployment } from '../../devnet/vaults/deployment.ts'
import { worldClient } from '../../devnet/world.ts'
import { createCausewayClient } from '../../sdk/src/createCausewayClient.ts'
import type { CausewayError } from '../../sdk/src/error/causewayError.ts'
import { keyOf } from '../support/ask.ts'
import { ORDER_STEPS } from '../support/orderSteps.ts'
import type { TestProduct } from '../support/product.ts'
import { tokenBalance } from '../support/quotes.ts'
import { sdkWallets } from '../support/sdkWallets.ts'

const harborDollar = vaultDeployment('Harbor Dollar', 1).vault

/** The SDK's flows against a whole product, whose nodes mine each transaction at once. */
export function testSdkJourneys(product: () => TestProduct) {
  const causeway = () =>
    createCausewayClient({
      url: product().url,
      apiKey: keyOf(product().url) ?? '',
      shield: product().shield,
    })

  const wallets = (account: LocalAccount, chainId = 1) =>
    sdkWallets(product().world, account, chainId)

  async function quoteOf(account: LocalAccount, offer: TokenSymbol, offerAmount: bigint) {
    return causeway().transit.quote({
      userAddress: account.address,
      offerAmount,
      offerAsset: DEPLOYMENT.tokens[offer],
      sourceChainId: 1,
      wantAsset: DEPLOYMENT.tokens.USDG,
      destinationChainId: 4663,
    })
  }

  async function nonceOf({ address }: LocalAccount) {
    return worldClient(product().world, 1).getTransactionCount({ address })
  }

  async function approve(account: LocalAccount, token: TokenSymbol, amount: bigint) {
    const { walletClient, publicClient } = wallets(account)
    const hash = await walletClient.writeContract({
      chain: null,
      address: DEPLOYMENT.tokens[token],
      abi: erc20Abi,
      functionName: 'approve',
      args: [DEPLOYMENT.station, amount],
    })
    await publicClient.waitForTransactionReceipt({ hash })
  }

  describe('transit.send', () => {
    const ends = { from: 1, to: 4663, want: 'USDG' } as const

    test('default: by a permit; follow has every step, also over a restart of the api', async () => {
      const user = userAt(2)
      const quote = await quoteOf(user, 'USDC', parseUnits('2500', 6))
      const before = await nonceOf(user)
      const stored: string[] = []
      const order = await causeway().transit.send({
        ...wallets(user),
        quote,
        onQuote: ({ orderId }) => void stored.push(orderId),
      })
      // A permit needs no transaction of its own.
      expect((await nonceOf(user)) - before).toBe(1)
      expect(stored).toEqual([order.id])
      const steps: string[] = []
      const following = (async () => {
        for await (const { step, order: seen } of causeway().transit.follow(order.id)) {
          steps.push(step)
          if (step === 'PROCESSED') return seen
        }
        return null
      })()
      await expect.poll(() => steps).toEqual(['SUBMITTED', 'BRIDGED'])
      await product().restartApi()
      const target = { orderId: order.id, ...ends }
      await ORDER_STEPS.deliver(product().world, target)
      await ORDER_STEPS.executePart(product().world, target)
      await ORDER_STEPS.execute(product().world, target)
      expect(await following).toMatchObject({
        remainingAmountDue: 0n,
        amountDue: order.quote.amountOut,
      })
      expect(steps).toEqual([
        'SUBMITTED',
        'BRIDGED',
        'RECEIVED',
        'EXECUTED',
        'EXECUTED',
        'PROCESSED',
      ])
      const paid = await causeway().transit.wait(order.id)
      expect(paid.createdAt).toBeInstanceOf(Date)
      const filter = { txHash: order.hash, sourceChain: 1 }
      const [listed] = await causeway().transit.orders({ filter }).take(2)
      expect(listed).toEqual(paid)
    })

    test('behavior: a quote that showed no calldata, and had another permit', async () => {
      const user = userAt(2)
      await approve(user, 'USDC', parseUnits('2500', 6))
      const { request } = await quoteOf(user, 'USDC', parseUnits('2500', 6))
      const quote = await causeway().transit.quote({
        ...request,
        responseFormat: 'structured',
        permitSignature: `0x${'11'.repeat(64)}1b`,
        permitDeadline: Math.floor(Date.now() / 1_000) + 3_600,
      })
      const { id } = await causeway().transit.send({ ...wallets(user), quote })
      expect(id).toMatch(/^0x/)
    })

    test('behavior: by an approval where the token has no permit', async () => {
      const user = userAt(3)
      const quote = await quoteOf(user, 'USDP', parseUnits('2500', 18))
      const before = await nonceOf(user)
      const { receipt } = await causeway().transit.send({ ...wallets(user), quote })
      expect(receipt.status).toBe('success')
      expect((await nonceOf(user)) - before).toBe(2)
    })

    test('behavior: an allowance that must be 0 first is reset, then given', async () => {
      const user = userAt(4)
      await approve(user, 'USDT', 5n)
      const before = await nonceOf(user)
      const quote = await quoteOf(user, 'USDT', parseUnits('2500', 6))
      await causeway().transit.send({ ...wallets(user), quote })
      expect((await nonceOf(user)) - before).toBe(3)
    })

    test.each([
      ['cannot sign', () => Promise.reject(new Error('Method not supported'))],
      ['signs as a contract does', async () => `0x${'12'.repeat(99)}` as const],
      ['signs wrongly', async () => `0x${'12'.repeat(64)}1b` as const],
    ])('behavior: a wallet that %s permits approves', async (_, signTypedData) => {
      const user = userAt(5)
      const quote = await quoteOf(user, 'USDC', parseUnits('2500', 6))
      const before = await nonceOf(user)
      await causeway().transit.send({ ...wallets({ ...user, signTypedData }), quote })
      expect((await nonceOf(user)) - before).toBe(2)
    })

    test('error: nothing is sent if the user rejects, the terms are worse, or the chain or the account is wrong', async () => {
      const user = userAt(6)
      const before = await nonceOf(user)
      const quote = await quoteOf(user, 'USDC', parseUnits('2500', 6))
      const refusal = (given: object) =>
        causeway()
          .transit.send({ ...wallets(user), quote, ...given })
          .catch((error: CausewayError) => error)
      const rejected = Object.assign(new Error('User rejected the request.'), { code: 4001 })
      const signTypedData = () => Promise.reject(rejected)
      expect(await refusal(wallets({ ...user, signTypedData }))).toBe(rejected)
      const better = { ...quote, amountOut: quote.amountOut + parseUnits('3', 6) }
      expect(await refusal({ quote: better })).toMatchObject({
        reason: 'TERMS_WORSE',
        metadata: { quoted: better.amountOut },
      })
      expect(await refusal(wallets(user, 4663))).toMatchObject({
        reason: 'WRONG_CHAIN',
        metadata: { expected: 1, actual: 4663 },
      })
      expect(await refusal(wallets(userAt(0)))).toMatchObject({ reason: 'WRONG_ACCOUNT' })
      expect(await nonceOf(user)).toBe(before)
    })

    test('error: a simulation on the own node finds what the API assumes, here the balance', async () => {
      const poor = userAt(9)
      const { walletClient, publicClient } = wallets(poor)
      const amount = await tokenBalance(product().world, 1, ['USDC', poor.address])
      const quote = await quoteOf(poor, 'USDC', parseUnits('2500', 6))
      await approve(poor, 'USDC', 2n ** 255n)
      const hash = await walletClient.writeContract({
        chain: null,
        address: DEPLOYMENT.tokens.USDC,
        abi: erc20Abi,
        functionName: 'transfer',
        args: [userAt(0).address, amount],
      })
      await publicClient.waitForTransactionReceipt({ hash })
      const before = await nonceOf(poor)
      await expect(
        causeway().transit.send({ walletClient, publicClient, quote }),
      ).rejects.toMatchObject({ reason: 'SIMULATION_FAILED' })
      expect(await nonceOf(poor)).toBe(before)
    })

    test('behavior: a higher fee is the same transaction; another one with its nonce is noticed', async () => {
      const user = userAt(1)
      const node = worldClient(product().world, 1)
      const { walletClient, publicClient } = wallets(user)
      await node.setAutomine(false)
      try {
        const replaced = async (isSpeedUp: boolean) => {
          const quote = await quoteOf(user, 'USDC', parseUnits('2500', 6))
          const sending = causeway().transit.send({ walletClient, publicClient, quote })
          // It is expected to fail, and is awaited below.
          sending.catch(() => {})
          const pending = async () =>
            (await node.getTxpoolContent()).pending[user.address.toLowerCase() as Address] ??
            (await node.getTxpoolContent()).pending[user.address]
          await expect.poll(pending).toBeDefined()
          const [first] = Object.values((await pending()) ?? {})
          if (!first) throw new Error('nothing pending')
          // The receipt is asked for before the replacement is sent.
          await new Promise((done) => setTimeout(done, 300))
          const call = isSpeedUp
            ? { to: first.to, data: first.input, value: BigInt(first.value) }
            : { to: user.address, value: 0n }
          const hash = await walletClient.sendTransaction({
            ...call,
            chain: null,
            nonce: Number(first.nonce),
            gas: 2_000_000n,
            maxFeePerGas: 90_000_000_000n,
            maxPriorityFeePerGas: 9_000_000_000n,
          })
          await node.mine({ blocks: 1 })
          return { sending, hash }
        }
        const fast = await replaced(true)
        expect((await fast.sending).hash).toBe(fast.hash)
        const cancelled = await replaced(false)
        await expect(cancelled.sending).rejects.toMatchObject({
          reason: 'TRANSACTION_REPLACED',
          metadata: { replacement: cancelled.hash },
        })
      } finally {
        await node.setAutomine(true)
      }
    })
  })

  describe('earn', () => {
    test('default: deposit, withdraw, cancel and wait', async () => {
      const user = userAt(3)
      const client = causeway()
      const vault = { ...wallets(user), chainId: 1, vaultAddress: harborDollar }
      const asset = DEPLOYMENT.tokens.USDC
      const deposit = await client.earn.deposit({
        ...vault,
        depositAsset: asset,
        depositAmount: parseUnits('500', 6),
      })
      expect(deposit.receipt.status).toBe('success')
      const filter = { vaultAddress: harborDollar, chainId: 1 }
      const held = async () => {
        const positions = client.earn.userPositions({ userAddress: user.address, filter })
        return (await positions.take(1))[0]?.shareBalance
      }
      await expect.poll(held).toBe(deposit.preview.expectedShares)
      const withdrawal = await client.earn.withdraw({
        ...vault,
        wantAsset: asset,
        shareAmount: parseUnits('100', 6),
      })
      const { request } = withdrawal
      if (!request) throw new Error('not queued')
      expect(request).toMatchObject({ status: 'PENDING', offerAmount: parseUnits('100', 6) })
      const waiting = client.earn.wait(request.id, { until: 'PENDING_REFUND' })
      await client.earn.cancel({ ...vault, requestId: request.id })
      expect(await waiting).toMatchObject({ isMarkedForRefundByUser: true })
      await expect(client.earn.cancel({ ...vault, requestId: request.id })).rejects.toMatchObject({
        reason: 'WITHDRAWAL_NOT_PENDING',
      })
    })

    test('behavior: pages are read one after another, and each row is seen once', async () => {
      const all = await causeway().earn.vaultAssets().take(1_000)
      const pages: number[] = []
      for await (const { vaultAssets } of causeway().earn.vaultAssets({ pageSize: 4 }).pages())
        pages.push(vaultAssets.length)
      expect(pages.slice(0, -1).every((length) => length === 4)).toBe(true)
      const rows = await causeway().earn.vaultAssets({ pageSize: 4 }).take(1_000)
      expect(rows).toEqual(all)
      expect(pages.length).toBeGreaterThan(2)
    })

    test('error: smartDeposits.wait awaits an unknown deposit until its signal ends it', async () => {
      const unknown = `0x${'77'.repeat(32)}` as const
      const signal = AbortSignal.timeout(300)
      await expect(causeway().smartDeposits.wait(unknown, { signal })).rejects.toMatchObject({
        name: 'TimeoutError',
      })
    })
  })
}
