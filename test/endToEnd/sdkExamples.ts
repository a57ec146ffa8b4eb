import { randomBytes } from 'node:crypto'
import { copyFile, readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type Address, erc20Abi, parseUnits } from 'viem'
import { describe, expect, onTestFinished, test } from 'vitest'
import { devnetUserKeys, userAt } from '../../devnet/accounts.ts'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import { vaultDeployment } from '../../devnet/vaults/deployment.ts'
import { worldClient } from '../../devnet/world.ts'
import { createCausewayClient } from '../../sdk/src/createCausewayClient.ts'
import { keyOf } from '../support/ask.ts'
import { freePorts } from '../support/freePorts.ts'
import { payOpenOrder } from '../support/payOpenOrder.ts'
import type { TestProduct } from '../support/product.ts'
import { tokenBalance } from '../support/quotes.ts'
import type { StrangersProject } from '../support/strangersProject.ts'
import { startWorkerProcess } from '../support/workerProcess.ts'

const EXAMPLES = {
  'sendOrder.ts': 'node-script',
  'receive.ts': 'webhook-receiver',
  'sweep.ts': 'sweep-bot',
}
const folder = join(import.meta.dirname, '../../examples')

/** Runs `examples/` as they stand, with the packed SDK, against a whole product. `variables` are those of the product. */
export function testSdkExamples(
  product: () => TestProduct,
  project: () => StrangersProject,
  variables: Record<string, string>,
) {
  describe('examples', () => {
    const copy = (file: keyof typeof EXAMPLES) =>
      copyFile(join(folder, EXAMPLES[file], file), join(project().folder, file))
    const environment = (index: number) => {
      return {
        PRIVATE_KEY: devnetUserKeys()[index]?.privateKey ?? '',
        RPC_URL: product().world.rpcUrls[1] ?? '',
        CAUSEWAY_URL: product().url,
        CAUSEWAY_API_KEY: keyOf(product().url) ?? '',
        SHIELD_BOOK: product().shieldBookFile,
        SHIELD_SIGNER: product().shield.signers[0] ?? '',
        SHIELD_ENVIRONMENT: product().shield.environment ?? '',
      }
    }

    const payUsdc = async (to: Address, amount: bigint) => {
      const client = worldClient(product().world, 1)
      const hash = await client.writeContract({
        account: userAt(0),
        address: DEPLOYMENT.tokens.USDC,
        abi: erc20Abi,
        functionName: 'transfer',
        args: [to, amount],
      })
      await client.waitForTransactionReceipt({ hash })
    }

    test('default: at most 80 lines each, and their types are right', async () => {
      const files = Object.entries(EXAMPLES)
      for (const [file, name] of files) {
        const text = await readFile(join(folder, name, file), 'utf8')
        expect([file, text.trimEnd().split('\n').length <= 80]).toEqual([file, true])
      }
      await Promise.all(files.map(([file]) => copy(file as keyof typeof EXAMPLES)))
      expect(await project().check(...files.map(([file]) => file))).toBe('')
    })

    test('behavior: node-script sends an order and ends when it is paid', async () => {
      await copy('sendOrder.ts')
      const running = project().run('sendOrder.ts', environment(4))
      await Promise.race([running, payOpenOrder(product(), userAt(4))])
      expect(await running).toMatch(
        /^receives [\d.]+ USDG\norder 0x\w{64}\nSUBMITTED\nBRIDGED\nRECEIVED\nEXECUTED\nPROCESSED\n$/,
      )
    })

    test('behavior: sweep-bot deposits what comes in, and stops when it is asked to', async () => {
      const { world } = product()
      const { address } = userAt(5)
      const { vault } = vaultDeployment('Harbor Dollar', 1)
      const shares = () =>
        worldClient(world, 1).readContract({
          address: vault,
          abi: erc20Abi,
          functionName: 'balanceOf',
          args: [address],
        })
      const usdc = () => tokenBalance(world, 1, ['USDC', address])
      const before = await shares()
      await copy('sweep.ts')
      const bot = project().start('sweep.ts', { ...environment(5), INTERVAL_MS: '100' })
      onTestFinished(() => void bot.end())
      await expect.poll(bot.output).toMatch(/^deposited [\d.]+ in 0x/)
      expect(await usdc()).toBe(0n)
      const once = await shares()
      expect(once).toBeGreaterThan(before)
      await payUsdc(address, parseUnits('150', 6))
      await expect.poll(bot.output).toMatch(/\ndeposited 150 in 0x/)
      expect(await shares()).toBeGreaterThan(once)
      expect(await bot.end()).toBe(0)
      expect(bot.output()).toMatch(/\nstopped\n$/)
      // Other tests spend from this account, too.
      await payUsdc(address, parseUnits('100000', 6))
    })

    test('behavior: sweep-bot sends nothing while its last transaction may still be mined', async () => {
      const { world } = product()
      const user = userAt(5)
      const node = await startForgetfulNode(world.rpcUrls[1] ?? '')
      onTestFinished(() => node.stop())
      await copy('sweep.ts')
      const variables = { ...environment(5), RPC_URL: node.url, INTERVAL_MS: '100' }
      const bot = project().start('sweep.ts', variables)
      onTestFinished(() => void bot.end())
      await expect.poll(bot.output).toMatch(/^TRANSACTION_PENDING: /)
      await payUsdc(user.address, parseUnits('150', 6))
      await expect.poll(() => node.asked).toContain('eth_getTransactionReceipt')
      node.isForgetful = false
      await worldClient(world, 1).mine({ blocks: 1 })
      await expect.poll(bot.output).toMatch(/^TRANSACTION_PENDING: .*\ndeposited 150 in 0x\w+\n$/)
      expect(node.sent.size).toBe(2)
      expect(await bot.end()).toBe(0)
      await payUsdc(user.address, parseUnits('100000', 6))
    })

    test('behavior: webhook-receiver prints what the worker delivers, and refuses a forgery', async () => {
      const [port = 0] = await freePorts(1)
      const url = `http://127.0.0.1:${port}/hooks`
      const { webhooks } = createCausewayClient({
        url: product().url,
        apiKey: keyOf(product().url),
      })
      const { endpoint, secret } = await webhooks.create({ url, eventTypes: ['smart_deposit.*'] })
      await copy('receive.ts')
      const receiver = project().start('receive.ts', {
        PORT: String(port),
        WEBHOOK_SECRETS: secret,
      })
      onTestFinished(() => void receiver.end())
      await expect.poll(receiver.output).toMatch(/^listening/)
      const worker = startWorkerProcess({
        databaseUrl: product().databaseUrl,
        addressBook: product().indexer.addressBook,
        rpcUrls: product().world.rpcUrls,
        appSecret: randomBytes(32).toString('hex'),
        variables,
      })
      onTestFinished(() => worker.stop())
      await webhooks.ping({ endpointId: endpoint.id })
      await expect.poll(receiver.output).toContain(`\nping of endpoint ${endpoint.id}\n`)
      const headers = {
        'webhook-id': 'evt_1',
        'webhook-timestamp': String(Math.floor(Date.now() / 1_000)),
        'webhook-signature': `v1,${Buffer.alloc(32).toString('base64')}`,
      }
      expect((await fetch(url, { method: 'POST', headers, body: '{}' })).status).toBe(401)
      expect(await receiver.end()).toBe(0)
    })
  })
}

const HIDDEN = ['eth_getTransactionByHash', 'eth_getTransactionReceipt']

/** A node that takes transactions. While it is forgetful, it loses the answers to them, and does not know them. */
async function startForgetfulNode(rpcUrl: string) {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks)
    const { id, method, params } = JSON.parse(body.toString())
    node.asked.push(method)
    const isSend = method === 'eth_sendRawTransaction'
    if (isSend) node.sent.add(params[0])
    const headers = { 'content-type': 'application/json' }
    if (node.isForgetful && HIDDEN.includes(method))
      return void response.writeHead(200, headers).end(`{"jsonrpc":"2.0","id":${id},"result":null}`)
    const answer = await fetch(rpcUrl, { method: 'POST', headers, body })
    const text = await answer.text()
    if (node.isForgetful && isSend) return void response.destroy()
    response.writeHead(200, headers).end(text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const node = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    isForgetful: true,
    asked: [] as string[],
    sent: new Set<string>(),
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return node
}
