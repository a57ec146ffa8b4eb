import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { AttestationUnavailableError, httpAttestationProvider } from './attestationProvider.ts'

const REQUEST = {
  chain: 'ethereum',
  from: `0x${'11'.repeat(20)}`,
  to: `0x${'22'.repeat(20)}`,
  data: '0xd97e6ec0',
} as const
const ATTESTATION = {
  uuid: 'one',
  expiration: 1_795_000_000,
  attester: '0x662673C7729cf2456FC6B90D760d425E005979D9',
  signature: `0x${'ab'.repeat(65)}`,
}
const COMPLIANT = { policy_id: 'p', is_compliant: true, attestation: ATTESTATION }

const expiring = (expiration: number) => ({
  ...COMPLIANT,
  attestation: { ...ATTESTATION, expiration },
})

type Seen = { headers: IncomingMessage['headers']; method: string | undefined; body: unknown }
type Reply = (response: ServerResponse, origin: string) => void

/** A provider that answers every request with one reply, and records the requests. */
async function startProvider(reply: Reply) {
  const seen: Seen[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = chunks.length > 0 ? JSON.parse(Buffer.concat(chunks).toString()) : null
    seen.push({ headers: request.headers, method: request.method, body })
    reply(response, origin)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { seen, provider: httpAttestationProvider(`${origin}/v2/attestation`, 'the key') }
}

const json =
  (body: unknown): Reply =>
  (response) =>
    response.end(JSON.stringify(body))

describe('httpAttestationProvider', () => {
  test('default', async () => {
    const { provider, seen } = await startProvider(json(COMPLIANT))
    expect(await provider.attest(REQUEST)).toEqual({
      ...ATTESTATION,
      expiration: 1_795_000_000n,
      attester: ATTESTATION.attester.toLowerCase(),
    })
    expect(seen).toMatchObject([
      {
        method: 'POST',
        headers: { 'x-api-key': 'the key', 'content-type': 'application/json' },
        body: { ...REQUEST, msg_value: '0' },
      },
    ])
  })

  test.each<[string, unknown]>([
    ['without an attestation', { is_compliant: false }],
    ['with an empty one', { is_compliant: false, attestation: { uuid: '' } }],
  ])('behavior: not compliant, %s', async (_, body) => {
    const { provider } = await startProvider(json(body))
    expect(await provider.attest(REQUEST)).toBeNull()
  })

  test.each<[string, Reply]>([
    ['a wrong key', (response) => response.writeHead(401).end('{}')],
    ['an error', (response) => response.writeHead(500).end('<html>')],
    ['garbage', (response) => response.end('<html>')],
    ['nothing of the kind', json({ is_compliant: 'yes' })],
    ['no attestation', json({ is_compliant: true })],
    ['a bad attester', json({ ...COMPLIANT, attestation: { ...ATTESTATION, attester: '0x1' } })],
    ['half bytes', json({ ...COMPLIANT, attestation: { ...ATTESTATION, signature: '0xabc' } })],
    ['an expiration below 0', json(expiring(-1))],
    ['an expiration above all', json(expiring(2 ** 256))],
    ['no uuid', json({ ...COMPLIANT, attestation: { ...ATTESTATION, uuid: '' } })],
    ['too much', json({ ...COMPLIANT, filler: 'x'.repeat(70_000) })],
    ['a redirect', (response, origin) => response.writeHead(302, { location: origin }).end()],
    ['a closed connection', (response) => response.destroy()],
  ])('error: %s', async (_, reply) => {
    const { provider, seen } = await startProvider(reply)
    await expect(provider.attest(REQUEST)).rejects.toBeInstanceOf(AttestationUnavailableError)
    expect(seen).toHaveLength(1)
  })

  test('error: silence, within 3 s', async () => {
    const { provider } = await startProvider(() => {})
    const startedAt = Date.now()
    await expect(provider.attest(REQUEST)).rejects.toBeInstanceOf(AttestationUnavailableError)
    expect(Date.now() - startedAt).toBeLessThan(3_000)
  })

  test('error: nobody listens', async () => {
    const provider = httpAttestationProvider('http://127.0.0.1:1/v2/attestation', '')
    await expect(provider.attest(REQUEST)).rejects.toBeInstanceOf(AttestationUnavailableError)
  })
})
