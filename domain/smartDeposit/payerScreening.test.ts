import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { httpPayerScreening, type PaidBy, ScreeningUnavailableError } from './payerScreening.ts'

const PAYMENT: PaidBy = {
  chainId: 8453,
  payer: `0x${'11'.repeat(20)}`,
  transactionSender: null,
  transactionHash: `0x${'22'.repeat(32)}`,
  token: `0x${'33'.repeat(20)}`,
  amount: 10n ** 30n,
  smartDepositAddress: `0x${'44'.repeat(20)}`,
}

/** A provider that answers every question with this text. Returns what it was asked. */
async function startProvider(text: string, status = 200) {
  const asked: { headers: unknown; body: string }[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    asked.push({ headers: request.headers, body: Buffer.concat(chunks).toString() })
    response.writeHead(status).end(text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { asked, provider: httpPayerScreening(`http://127.0.0.1:${port}/v1/payers`, 'the key') }
}

describe('httpPayerScreening', () => {
  test('default', async () => {
    const { asked, provider } = await startProvider('{"is_allowed":true,"score":3}')
    expect(await provider.screen(PAYMENT)).toEqual({ kind: 'passed' })
    expect(asked).toMatchObject([{ headers: { 'x-api-key': 'the key' } }])
    expect(JSON.parse(asked[0]?.body ?? '')).toEqual({
      chain_id: '8453',
      payer: PAYMENT.payer,
      transaction_sender: null,
      transaction_hash: PAYMENT.transactionHash,
      token: PAYMENT.token,
      amount: `1${'0'.repeat(30)}`,
      smart_deposit_address: PAYMENT.smartDepositAddress,
    })
  })

  test.each([
    ['with a reason', '{"is_allowed":false,"reason":" high risk "}', 'high risk'],
    ['without one', '{"is_allowed":false}', 'not given'],
    ['with an empty one', '{"is_allowed":false,"reason":" "}', 'not given'],
    ['with a long one', `{"is_allowed":false,"reason":"${'x'.repeat(9_000)}"}`, 'x'.repeat(200)],
  ])('behavior: refused, %s', async (_, text, reason) => {
    const { provider } = await startProvider(text)
    expect(await provider.screen(PAYMENT)).toEqual({ kind: 'refused', reason })
  })

  test.each([
    ['an error', '{"is_allowed":true}', 500],
    ['a wrong key', '{}', 401],
    ['garbage', '<html>', 200],
    ['nothing of the kind', '{"is_allowed":"yes"}', 200],
    ['a reason that is no text', '{"is_allowed":false,"reason":7}', 200],
    ['too much', `{"is_allowed":true,"filler":"${'x'.repeat(70_000)}"}`, 200],
  ])('error: %s', async (_, text, status) => {
    const { provider } = await startProvider(text, status)
    await expect(provider.screen(PAYMENT)).rejects.toBeInstanceOf(ScreeningUnavailableError)
  })
})
