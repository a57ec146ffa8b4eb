import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { userAt } from '../../devnet/accounts.ts'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import { placeOrder } from '../../devnet/placeOrder.ts'
import type { OpenApiDocument } from '../../mcp/src/openApiDocument.ts'
import { keyOf } from '../support/ask.ts'
import { getJson } from '../support/getJson.ts'
import type { TestProduct } from '../support/product.ts'

const program = [
  '--import',
  pathToFileURL(join(import.meta.dirname, '../support/resolveSdkSource.ts')).href,
  join(import.meta.dirname, '../../mcp/src/causewayMcp.ts'),
]

/** `causeway-mcp` as a process of its own, asked by the official client, against a whole product. */
export function testMcpTools(product: () => TestProduct) {
  describe('mcp', () => {
    let url: URL
    let server: ReturnType<typeof startHttp>
    const variables = () => {
      const { url, shield, shieldBookFile } = product()
      return {
        CAUSEWAY_URL: url,
        CAUSEWAY_API_KEY: keyOf(url) ?? '',
        SHIELD_BOOK: shieldBookFile,
        SHIELD_SIGNER: shield.signers.join(),
        SHIELD_ENVIRONMENT: shield.environment ?? '',
      }
    }

    /** With a key in its environment, which it must not use. */
    const startHttp = () =>
      spawn(process.execPath, [...program, '--http', '--port', '0'], {
        env: { ...process.env, ...variables() },
        stdio: ['ignore', 'ignore', 'pipe'],
      })

    beforeAll(async () => {
      server = startHttp()
      const [line] = await once(server.stderr, 'data')
      url = new URL(/http:\S+/.exec(String(line))?.[0] ?? `no address: ${line}`)
    })
    afterAll(() => void server?.kill())

    const overStdio = () =>
      new StdioClientTransport({ command: process.execPath, args: program, env: variables() })
    const overHttp = (headers: Record<string, string>) =>
      new StreamableHTTPClientTransport(url, { requestInit: { headers } })
    const TRANSPORTS = {
      stdio: overStdio,
      'streamable HTTP': () => overHttp({ 'x-api-key': variables().CAUSEWAY_API_KEY }),
    }

    async function connect(transport: ReturnType<typeof overStdio | typeof overHttp>) {
      const client = new Client({ name: 'test', version: '1' })
      await client.connect(transport)
      return client
    }

    async function failureOf(client: Client, name: string, input: Record<string, unknown>) {
      const { isError, content } = await client.callTool({ name, arguments: input })
      const [first] = content
      if (!isError || first?.type !== 'text') throw new Error('no tool error')
      return JSON.parse(first.text)
    }

    test.each(Object.entries(TRANSPORTS))('default: over %s', async (_, transport) => {
      const { orderId } = await placeOrder(product().world, {
        user: userAt(6),
        sourceChainId: 1,
        destinationChainId: 4663,
        offerAsset: DEPLOYMENT.tokens.USDC,
        wantAsset: DEPLOYMENT.tokens.USDG,
        offerAmount: 3_000_000_000n,
      })
      const client = await connect(transport())
      try {
        const { tools } = await client.listTools()
        const { body } = await getJson<OpenApiDocument>(`${product().url}/openapi.json`)
        const names = Object.values(body.paths)
          .flatMap(({ get }) => get ?? [])
          // Operators' and members' reads need a person who is signed in.
          .filter(({ security }) => !/"(admin|members)"/.test(JSON.stringify(security ?? [])))
          .map(({ operationId }) => operationId)
        expect(tools.map(({ name }) => name)).toEqual(names)
        expect(tools.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true)
        const quote = await client.callTool({
          name: 'getOrderQuote',
          arguments: {
            userAddress: userAt(6).address,
            offerAmount: '3000000000',
            offerAsset: DEPLOYMENT.tokens.USDC,
            sourceChainId: 1,
            wantAsset: DEPLOYMENT.tokens.USDG,
            destinationChainId: 4663,
            minimumAmountOut: '2900000000',
          },
        })
        expect(quote.structuredContent).toMatchObject({
          offerAmount: '3000000000',
          transaction: { to: DEPLOYMENT.station },
          shield: { sentences: [expect.stringMatching(/^Pay 3,000 USDC on Ethereum/)] },
        })
        const order = () => client.callTool({ name: 'getTransitOrder', arguments: { orderId } })
        await expect
          .poll(async () => (await order()).structuredContent)
          .toMatchObject({ order: { id: orderId, status: 'PENDING_BRIDGE' } })
        const vaults = await client.callTool({ name: 'listVaults', arguments: { pageSize: 1 } })
        expect(vaults.structuredContent).toMatchObject({ vaults: [{}] })
        const unknown = `0x${'77'.repeat(32)}`
        expect(await failureOf(client, 'getTransitOrder', { orderId: unknown })).toMatchObject({
          reason: 'ORDER_NOT_FOUND',
          status: 404,
          requestId: expect.stringMatching(/./),
        })
        const mistaken = await client.callTool({ name: 'listVaults', arguments: { page_size: 1 } })
        expect(mistaken.isError).toBe(true)
        await expect(
          client.callTool({ name: 'createWebhookEndpoint', arguments: {} }),
        ).rejects.toThrow(/createWebhookEndpoint/)
      } finally {
        await client.close()
      }
    })

    test('error: it does not start with a book that the operator has not signed', async () => {
      const SHIELD_SIGNER = userAt(0).address
      const env = { ...process.env, ...variables(), SHIELD_SIGNER }
      const started = spawn(process.execPath, program, { env, stdio: ['pipe', 'ignore', 'pipe'] })
      const [line] = await once(started.stderr, 'data')
      expect(String(line)).toContain('the book is signed by none of the pinned keys')
      const [code] = started.exitCode === null ? await once(started, 'exit') : [started.exitCode]
      expect(code).toBe(1)
    })

    test('error: over HTTP a stranger has no key, whatever the server has in its environment', async () => {
      const client = await connect(overHttp({}))
      try {
        expect(await failureOf(client, 'listVaults', {})).toMatchObject({
          reason: 'UNAUTHENTICATED',
          status: 401,
        })
      } finally {
        await client.close()
      }
    })
  })
}
