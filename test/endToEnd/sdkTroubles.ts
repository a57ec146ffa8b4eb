import { createWalletClient, custom, http, type LocalAccount, parseUnits } from 'viem'
import { nonceManager, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { DEVNET_SOLVER, devnetUserKeys, userAt } from '../../devnet/accounts.ts'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import { reorganise } from '../../devnet/reorganise.ts'
import { vaultDeployment } from '../../devnet/vaults/deployment.ts'
import { worldClient } from '../../devnet/world.ts'
import type { ConnectionOptions } from '../../sdk/src/connection/connection.ts'
import { createCausewayClient } from '../../sdk/src/createCausewayClient.ts'
import { keyOf } from '../support/ask.ts'
import { startLossyNode } from '../support/lossyNode.ts'
import type { TestProduct } from '../support/product.ts'
import { sdkWallets } from '../support/sdkWallets.ts'
import { seededRandom } from '../support/seededRandom.ts'

type Provider = (call: { method: string; params?: unknown }) => Promise<unknown>

/** The SDK's flows where wallets, nodes and the API misbehave, against a whole product. */
export function testSdkTroubles(product: () => TestProduct) {
  const { USDC, USDG } = DEPLOYMENT.tokens
  const causeway = (more: Partial<ConnectionOptions> = {}) =>
    createCausewayClient({
      url: product().url,
      apiKey: keyOf(product().url) ?? '',
      shield: product().shield,
      ...more,
    })
  const node = () => worldClient(product().world, 1)
  const nonceOf = ({ address }: { address: `0x${string}` }) =>
    node().getTransactionCount({ address })

  function quoteFor(
    user: LocalAccount,
    offer: 'USDC' | 'USDS' = 'USDC',
    offerAmount = parseUnits('2500', 6),
  ) {
    return causeway().transit.quote({
      userAddress: user.address,
      offerAmount,
      offerAsset: DEPLOYMENT.tokens[offer],
      sourceChainId: 1,
      wantAsset: USDG,
      destinationChainId: 4663,
    })
  }

  describe('transit.send where something fails', () => {
    test('behavior: an answer of the node that is lost does not look like a failure', async () => {
      const user = userAt(2)
      const quote = await quoteFor(user)
      const before = await nonceOf(user)
      const random = seededRandom(1)
      const lossy = await startLossyNode(product().world.rpcUrls[1] ?? '', { random, loss: 0 })
      try {
        lossy.atSend({ moment: 'after', sends: 1 }, () => {})
        const walletClient = createWalletClient({ account: user, transport: http(lossy.url) })
        const { publicClient } = sdkWallets(product().world, user)
        const sent: string[] = []
        const { hash, receipt } = await causeway().transit.send({
          walletClient,
          publicClient,
          quote,
          onSent: (transaction) => sent.push(transaction.hash),
        })
        expect(receipt.status).toBe('success')
        expect(sent).toEqual([hash])
        expect((await nonceOf(user)) - before).toBe(1)
      } finally {
        await lossy.stop()
      }
    })

    test('error: a transaction that is not mined in time may be mined later, and is', async () => {
      const user = userAt(4)
      const client = causeway()
      const quote = await quoteFor(user)
      await node().setAutomine(false)
      try {
        let id: `0x${string}` = '0x'
        const sending = client.transit.send({
          ...sdkWallets(product().world, user),
          quote,
          receiptTimeoutMs: 300,
          onQuote: ({ orderId }) => {
            id = orderId
          },
        })
        const hash = expect.stringMatching(/^0x/)
        await expect(sending).rejects.toMatchObject({
          reason: 'TRANSACTION_PENDING',
          metadata: { hash },
        })
        await node().mine({ blocks: 1 })
        expect(await client.transit.wait(id, { until: 'SUBMITTED' })).toMatchObject({ id })
      } finally {
        await node().setAutomine(true)
      }
    })

    test('behavior: orders of one account at a time, by the nonce manager of viem', async () => {
      const privateKey = devnetUserKeys()[5]?.privateKey as `0x${string}`
      const user = privateKeyToAccount(privateKey, { nonceManager })
      const before = await nonceOf(user)
      const quotes = [await quoteFor(user), await quoteFor(user, 'USDS', parseUnits('2500', 18))]
      const wallets = sdkWallets(product().world, user)
      const sent = await Promise.all(
        quotes.map((agreed) => causeway().transit.send({ ...wallets, quote: agreed })),
      )
      expect(new Set(sent.map(({ id }) => id)).size).toBe(2)
      expect((await nonceOf(user)) - before).toBe(2)
    })

    test('behavior: a reorganisation takes the submission back, and follow reports it', async () => {
      const user = userAt(6)
      const order = await causeway().transit.send({
        ...sdkWallets(product().world, user),
        quote: await quoteFor(user),
      })
      const steps: string[] = []
      for await (const { step } of causeway().transit.follow(order.id, { transports: ['poll'] })) {
        steps.push(step)
        if (step === 'BRIDGED') await reorganise(node(), 1)
        if (steps.length === 4) break
      }
      expect(steps).toEqual(['SUBMITTED', 'BRIDGED', 'REVERTED', 'REVERTED'])
    })
  })

  describe('a wallet behind a provider, as in a browser', () => {
    const user = userAt(3)

    /** A wallet whose keys the node has. `answer` may answer in its place. */
    function injected(answer: (method: string) => unknown = () => undefined) {
      const ask = async (chainId: number, call: { method: string; params?: unknown }) =>
        worldClient(product().world, chainId).request(call as never) // viem types each method by its name.
      let chainId = 1
      const request: Provider = async (call) => {
        const given = answer(call.method)
        if (given instanceof Error) throw given
        if (given === 'switches') chainId = 4663
        // Its user switches after the signature.
        return ask(given === 'switches' ? 1 : chainId, call)
      }
      const walletClient = createWalletClient({
        account: user.address,
        transport: custom({ request }),
      })
      return { ...sdkWallets(product().world, user), walletClient }
    }

    test('default: a deposit by a permit', async () => {
      const before = await nonceOf(user)
      const { receipt } = await causeway().earn.deposit({
        ...injected(),
        chainId: 1,
        vaultAddress: vaultDeployment('Harbor Dollar', 1).vault,
        depositAsset: USDC,
        depositAmount: parseUnits('5', 6),
      })
      expect(receipt.status).toBe('success')
      expect((await nonceOf(user)) - before).toBe(1)
    })

    test.each<[string, (method: string) => unknown, object]>([
      [
        'rejects the transaction',
        (method) =>
          method === 'eth_sendTransaction'
            ? Object.assign(new Error('User rejected the request.'), { code: 4001 })
            : undefined,
        { name: 'TransactionExecutionError' },
      ],
      [
        'switches the chain after the signature',
        (method) => (method === 'eth_signTypedData_v4' ? 'switches' : undefined),
        { reason: 'WRONG_CHAIN', metadata: { expected: 1, actual: 4663 } },
      ],
    ])('error: nothing is sent if the user %s', async (_, answer, error) => {
      const nonces = () =>
        Promise.all(
          [1, 4663].map((chainId) =>
            worldClient(product().world, chainId).getTransactionCount({ address: user.address }),
          ),
        )
      const before = await nonces()
      const sending = causeway().transit.send({ ...injected(answer), quote: await quoteFor(user) })
      await expect(sending).rejects.toMatchObject(error)
      expect(await nonces()).toEqual(before)
    })
  })

  describe('earn.withdraw', () => {
    test('behavior: at once, where the teller lets the account', async () => {
      const user = DEVNET_SOLVER
      const vault = {
        ...sdkWallets(product().world, user),
        chainId: 1,
        vaultAddress: vaultDeployment('Harbor Classic', 1).vault,
      }
      const { preview } = await causeway().earn.deposit({
        ...vault,
        depositAsset: USDC,
        depositAmount: parseUnits('90', 6),
      })
      const before = await nonceOf(user)
      const { paidAtOnce, request, receipt } = await causeway().earn.withdraw({
        ...vault,
        wantAsset: USDC,
        shareAmount: preview.expectedShares ?? 0n,
      })
      expect([paidAtOnce, request, receipt.status]).toEqual([true, null, 'success'])
      // The teller takes the shares without an approval.
      expect((await nonceOf(user)) - before).toBe(1)
    })

    test('behavior: an API that fails after the transaction does not look like a failure', async () => {
      const user = userAt(1)
      let failures = 3
      const flaky = causeway({
        retry: { attempts: 1 },
        fetch: async (url, init) => {
          if (String(url).includes('withdrawalRequests') && failures-- > 0)
            throw new TypeError('fetch failed')
          return fetch(url, init)
        },
      })
      const vault = {
        ...sdkWallets(product().world, user),
        chainId: 1,
        vaultAddress: vaultDeployment('Harbor Dollar', 1).vault,
      }
      const { preview } = await flaky.earn.deposit({
        ...vault,
        depositAsset: USDC,
        depositAmount: parseUnits('20', 6),
      })
      const { request } = await flaky.earn.withdraw({
        ...vault,
        wantAsset: USDC,
        shareAmount: preview.expectedShares ?? 0n,
      })
      expect(request).toMatchObject({ offerAmount: preview.expectedShares })
    })
  })
}
