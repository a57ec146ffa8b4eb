import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { erc20Abi, parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { priceFeedAbi } from '../../abis/priceFeed.ts'
import { devnetUserKeys } from '../../devnet/accounts.ts'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import { type RunFile, writeRunFile } from '../../processes/start/runFile.ts'
import { connectLocalWorld, type LocalWorld } from '../../sdk/src/testing/index.ts'
import { keyOf } from '../support/ask.ts'
import type { TestProduct } from '../support/product.ts'

/** The run file that `npm start` would write for a product. */
export function runFileOf(product: TestProduct): RunFile {
  return {
    apiUrl: product.url,
    consoleUrl: `${product.url}/console`,
    graphqlUrl: `${product.url}/graphql`,
    apiKey: keyOf(product.url) ?? '',
    rpcUrls: product.world.rpcUrls,
    databaseUrl: product.databaseUrl,
    addressBook: product.indexer.addressBook,
    shield: { bookFile: product.shieldBookFile, signers: [...product.shield.signers] },
    accounts: devnetUserKeys(),
    devnetCommand: [process.execPath, join(import.meta.dirname, '../../cli/devnet.ts')],
    pids: {},
  }
}

/** `@causeway/sdk/testing` against a whole product. Its blocks in sdk/README.md run in `sdkReadme.ts`. */
export function testSdkTesting(product: () => TestProduct) {
  describe('connectLocalWorld', () => {
    const { USDC } = DEPLOYMENT.tokens
    let folder: string
    let world: LocalWorld
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'causeway-world-'))
      writeRunFile(folder, runFileOf(product()))
      world = await connectLocalWorld(pathToFileURL(join(folder, 'run.json')))
    })
    afterAll(() => rm(folder, { recursive: true }))

    const held = (account: `0x${string}`) =>
      world.wallets().publicClient.readContract({
        address: USDC,
        abi: erc20Abi,
        functionName: 'balanceOf',
        args: [account],
      })

    test('default: a client, wallets, and funds for accounts, also several at a time', async () => {
      expect(world.chainIds).toEqual([1, 4663, 11_155_111])
      expect(world.accounts).toHaveLength(10)
      expect((await world.causeway.core.chains()).map(({ chainId }) => chainId)).toContain(4663)
      const { walletClient } = world.wallets({ chainId: 4663 })
      expect(await walletClient.getChainId()).toBe(4663)
      expect(walletClient.account?.address).toBe(world.accounts[0]?.address)
      const users = Array.from({ length: 3 }, () => privateKeyToAddress(generatePrivateKey()))
      const amount = 7_000_000n
      await Promise.all(
        users.map((account) => world.fund({ chainId: 1, account, token: USDC, amount })),
      )
      const { publicClient } = world.wallets()
      for (const address of users) {
        expect(await held(address)).toBe(amount)
        expect(await publicClient.getBalance({ address })).toBe(parseEther('10'))
      }
    })

    test('default: an outcome is forced and taken back; a reorganisation takes a payment back', async () => {
      const price = async () => {
        const feed = { address: DEPLOYMENT.feeds.dollar, abi: priceFeedAbi } as const
        const { publicClient } = world.wallets({ chainId: 4663 })
        return (await publicClient.readContract({ ...feed, functionName: 'latestRoundData' }))[1]
      }
      const undo = await world.force('depeg', { chainId: 4663, usd: 0.97 })
      expect(await price()).toBe(97_000_000n)
      await undo()
      expect(await price()).toBe(100_000_000n)
      const account = privateKeyToAddress(generatePrivateKey())
      await world.fund({ chainId: 1, account, token: USDC, amount: 1n })
      await world.force('reorg', { blocks: 1 })
      expect(await held(account)).toBe(0n)
    })

    test('error: what the world cannot do, with the reason', async () => {
      const account = privateKeyToAddress(generatePrivateKey())
      await expect(world.force('freeze', { account, vault: 'Harbor Dollar' })).rejects.toThrow(
        'freeze failed: Harbor Dollar has no hook that freezes accounts',
      )
      await expect(world.fund({ chainId: 5, account })).rejects.toThrow('it has 1, 4663, 11155111')
      await expect(
        world.fund({ chainId: 1, account, token: USDC, amount: 10n ** 18n }),
      ).rejects.toThrow('no account of the world has')
    })

    test.each<[string, () => object | string | null, string]>([
      ['no file', () => null, 'cannot be read. Run `npm start`'],
      ['another file', () => ({ name: 'my-app' }), 'it has no apiUrl, apiKey'],
      ['no JSON', () => 'apiUrl', 'it has no apiUrl, apiKey'],
      ['other chains', () => ({ ...runFileOf(product()), accounts: [] }), 'without RPC_URL_*'],
      [
        'a world that has ended',
        () => ({ ...runFileOf(product()), apiUrl: 'http://127.0.0.1:1' }),
        'does not answer at http://127.0.0.1:1. Run `npm start` again',
      ],
    ])('error: %s', async (name, content, message) => {
      const file = join(folder, `${name}.json`)
      const given = content()
      if (given !== null)
        await writeFile(file, typeof given === 'string' ? given : JSON.stringify(given))
      await expect(connectLocalWorld(file)).rejects.toThrow(message)
    })

    test('behavior: without a path it is the nearest .causeway above the working directory', async () => {
      const before = process.cwd()
      process.chdir(folder)
      try {
        await expect(connectLocalWorld()).rejects.toThrow('there is no .causeway/run.json in')
      } finally {
        process.chdir(before)
      }
    })
  })
}
