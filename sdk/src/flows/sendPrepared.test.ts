import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createPublicClient, createWalletClient, type Hex, http, keccak256 } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, onTestFinished, test } from 'vitest'
import type { CheckedTransaction } from './checkTransaction.ts'
import { sendPrepared } from './sendPrepared.ts'

const account = privateKeyToAccount(`0x${'5'.repeat(64)}`)
const ANSWERS: Record<string, unknown> = {
  eth_call: '0x',
  eth_chainId: '0x1',
  eth_estimateGas: '0x5208',
  eth_gasPrice: '0x1',
  eth_getTransactionCount: '0x0',
  eth_getBlockByNumber: { number: '0x1', baseFeePerGas: null, transactions: [] },
  eth_getTransactionByHash: null,
}

type Refusal = { code: number; message: string }

/** A node that takes a transaction, or refuses it. It loses the answer where there is no refusal, and never shows the transaction. */
async function sendThrough(refusal: Refusal | 'lost' | 'silent') {
  const raw: Hex[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { id, method, params } = JSON.parse(Buffer.concat(chunks).toString())
    const isSend = method === 'eth_sendRawTransaction'
    if (isSend) raw.push(params[0])
    if (isSend && refusal === 'lost') return void response.destroy()
    if (isSend && refusal === 'silent') return
    const answer = isSend ? { error: refusal } : { result: ANSWERS[method] }
    response.end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const timeout = refusal === 'silent' ? 2_000 : 10_000
  const transport = http(`http://127.0.0.1:${port}`, { retryCount: 0, timeout })
  const wallets = {
    walletClient: createWalletClient({ account, transport }),
    publicClient: createPublicClient({ transport }),
  }
  const transaction = { chainId: 1, to: account.address, value: 1n }
  // The call does not matter here.
  const error = await sendPrepared(wallets, transaction as CheckedTransaction).catch(
    (thrown: unknown) => thrown,
  )
  expect(raw).toHaveLength(1)
  return { error, hash: keccak256(raw[0] ?? '0x') }
}

test.each(['lost', 'silent'] as const)(
  'error: an answer that is %s, of a node whose other node does not have it yet: it may be mined',
  async (how) => {
    const { error, hash } = await sendThrough(how)
    expect(error).toMatchObject({ reason: 'TRANSACTION_PENDING', metadata: { hash } })
  },
)

test('error: a node that has it already, as after a repetition of what was lost: it may be mined', async () => {
  const { error, hash } = await sendThrough({ code: -32000, message: 'already known' })
  expect(error).toMatchObject({ reason: 'TRANSACTION_PENDING', metadata: { hash } })
})

test.each([
  { code: -32000, message: 'insufficient funds for gas * price + value' },
  { code: -32603, message: 'unknown transaction type' },
  { code: 3, message: 'not on this chain' },
])('error: a refusal of the node is thrown as it is: $message', async (refusal) => {
  const { error } = await sendThrough(refusal)
  expect(error).toMatchObject({ name: 'TransactionExecutionError' })
})
