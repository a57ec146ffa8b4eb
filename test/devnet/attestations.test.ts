import { randomUUID } from 'node:crypto'
import { encodeFunctionData, parseAbi, parseEventLogs, parseUnits } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { depositorAbi } from '../../abis/depositor.ts'
import { DEVNET_REFUSED_USER } from '../../devnet/accounts.ts'
import { type AttestationServer, startAttestationServer } from '../../devnet/attestations.ts'
import { approve } from '../../devnet/placeOrder.ts'
import { VAULT_CHAINS } from '../../devnet/vaults/deployment.ts'
import { statementData } from '../../devnet/vaults/depositInto.ts'
import { POLICY_ID } from '../../devnet/vaults/plan.ts'
import { worldClient } from '../../devnet/world.ts'
import { freePorts } from '../support/freePorts.ts'
import { send, user } from './stationWorld.ts'
import { actors, prime, startVaultWorld, tokens, type VaultWorld } from './vaultWorld.ts'

const apiKey: string = randomUUID()
const { depositor } = prime.current
const amount = parseUnits('25', 6)
const STATEMENT_VALIDATED = parseAbi([
  'event StatementValidated(address indexed msgSender, address indexed target, address indexed attester, uint256 msgValue, string policy, string uuid, uint256 expiration)',
])

let world: VaultWorld
let server: AttestationServer
beforeAll(async () => {
  world = await startVaultWorld()
  const [port = 0] = await freePorts(1)
  server = await startAttestationServer({ world, port, apiKey })
})
afterAll(async () => {
  await server?.stop()
  await world?.stop()
})

describe('startAttestationServer', () => {
  test('default: what it signs, the registry takes, once', async () => {
    const { status, body } = await ask()
    expect(status).toBe(200)
    expect(body).toEqual({
      policy_id: POLICY_ID,
      policy_name: POLICY_ID,
      verification_hash: expect.stringMatching(/^x-[0-9a-f]{32}$/),
      is_compliant: true,
      attestation: {
        uuid: expect.any(String),
        expiration: expect.any(Number),
        attester: actors.attester.address,
        signature: expect.stringMatching(/^0x[0-9a-f]{130}$/),
      },
    })
    const receipt = await depositWith(body.attestation)
    const [validated] = parseEventLogs({ abi: STATEMENT_VALIDATED, logs: receipt.logs })
    expect(validated?.args).toMatchObject({
      msgSender: user(0).address,
      target: depositor,
      policy: POLICY_ID,
      uuid: body.attestation.uuid,
    })
    expect(receipt.logs[0]?.address).toBe(registry().toLowerCase())
    await expect(depositWith(body.attestation)).rejects.toThrow('already used')
  })

  test('behavior: a chain by its name', async () => {
    const { body } = await ask({ chain: 'ethereum' })
    expect((await depositWith(body.attestation)).status).toBe('success')
  })

  test('behavior: whoever is refused gets nothing that can be used, as sender or as receiver', async () => {
    const { address } = DEVNET_REFUSED_USER
    const data = statementData({ ...request(), receiver: address })
    for (const refused of [{ from: address }, { data }]) {
      const { status, body } = await ask(refused)
      expect(status).toBe(200)
      expect(body.is_compliant).toBe(false)
      expect(body.attestation.signature).toBe('0x')
    }
  })

  test('behavior: whom it refuses can be changed while it runs', async () => {
    const { address } = user(0)
    expect((await admin('PUT', address)).status).toBe(204)
    expect((await ask()).body.is_compliant).toBe(false)
    expect(await (await admin('GET')).json()).toContain(address.toLowerCase())
    expect((await admin('DELETE', address)).status).toBe(204)
    expect((await ask()).body.is_compliant).toBe(true)
  })

  test('error: a wrong key, on every route', async () => {
    expect((await ask({}, 'wrong')).status).toBe(401)
    expect((await admin('PUT', user(0).address, 'wrong')).status).toBe(401)
    expect((await ask()).body.is_compliant).toBe(true)
  })

  test.each([
    ['an unknown chain', { chain: '5' }],
    ['no depositor', { to: tokens.USDC }],
    ['calldata of something else', { data: '0x12345678' }],
    ['no address', { from: 'me' }],
  ])('error: %s', async (_, changes) => {
    const { status, body } = await ask(changes)
    expect(status).toBe(400)
    expect(body.message).toEqual(expect.any(String))
  })
})

function registry() {
  const chain = VAULT_CHAINS.find(({ chainId }) => chainId === 1)
  if (!chain) throw new Error('chain 1 has vaults')
  return chain.registry
}

function request() {
  return { user: user(0), deployment: prime, asset: tokens.USDC, amount }
}

type Given = { uuid: string; expiration: number; attester: `0x${string}`; signature: `0x${string}` }
type Answer = { is_compliant: boolean; attestation: Given; message?: string }

async function ask(changes: object = {}, key = apiKey) {
  const response = await fetch(`${server.url}/v2/attestation`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key },
    body: JSON.stringify({
      to: depositor,
      from: user(0).address,
      data: statementData(request()),
      msg_value: '0',
      chain: '1',
      ...changes,
    }),
  })
  return { status: response.status, body: (await response.json()) as Answer }
}

function admin(method: string, account = '', key = apiKey) {
  const path = account ? `/admin/refusals/${account}` : '/admin/refusals'
  return fetch(server.url + path, { method, headers: { 'x-api-key': key } })
}

async function depositWith({ uuid, expiration, attester, signature }: Given) {
  const { user: account, asset } = request()
  const client = worldClient(world, 1)
  await approve(client, { user: account, token: asset, spender: depositor, amount })
  const attestation = { uuid, expiration: BigInt(expiration), attester, signature }
  const data = encodeFunctionData({
    abi: depositorAbi,
    functionName: 'deposit',
    args: [asset, amount, 0n, account.address, '0x', attestation],
  })
  return send(world, 1, { address: depositor, account, data })
}
