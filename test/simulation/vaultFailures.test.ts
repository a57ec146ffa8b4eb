import { setTimeout as sleep } from 'node:timers/promises'
import { zeroAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import { vaultDeployment } from '../../devnet/vaults/deployment.ts'
import { worldClient } from '../../devnet/world.ts'
import type { AddressBook } from '../../domain/addressBook/addressBook.ts'
import { startTestWorld, type TestWorld } from '../support/anvils.ts'
import type { TestApiOptions } from '../support/api.ts'
import { ask } from '../support/ask.ts'
import { undescribed } from '../support/describedAnswer.ts'
import { asOwner } from '../support/earn.ts'
import { SLOW_MS, startFaultyNode } from '../support/faultyNode.ts'
import { startFreshApi } from '../support/freshApi.ts'
import { getJson } from '../support/getJson.ts'
import { handClock } from '../support/handClock.ts'
import { revertChains } from '../support/revertChains.ts'
import { listVaultsOf, nodesOf } from '../support/vaultList.ts'

/** Discovery while a chain is down or a contract is invalid: the other deployments are listed. */

const { tokens } = DEPLOYMENT
/** Code that loops for ever. */
const BURNER = '0x5b600056'
const BURNT = `0x${'b0'.repeat(20)}` as const

let started: TestWorld
beforeAll(async () => {
  started = await startTestWorld([1, 8453, 999, 2201, 11_155_111, 4663], { withVaults: true })
})
afterAll(() => started?.stop())

describe('a chain that is slow, and then silent', () => {
  const SLOW = 2201
  const USER = '0x00000000000000000000000000000000000000aa'
  const LISTS = [
    'vaults',
    'vaultAssets',
    'supplyCaps',
    'vaultCompositions',
    'vaultTvls',
    `userPositions?userAddress=${USER}`,
  ]
  type Row = { chainId: number; stale: boolean; asOf: string; deployments?: Row[] }

  /** A list over HTTP, checked against docs/openapi.json; the rows of all chains, or why there are none. */
  async function list(url: string, path: string, filter = '') {
    const [name = '', query = ''] = path.split('?')
    const parameters = new URLSearchParams(query)
    parameters.set('pageSize', '100')
    if (filter) parameters.set('filter', filter)
    const answer = await getJson<Record<string, Row[]>>(`${url}/v2/earn/${name}?${parameters}`)
    expect(undescribed(answer.url, answer.status, answer.body)).toEqual([])
    const rows = (answer.body[name] ?? []).flatMap((row) => row.deployments ?? [row])
    return { ...answer, name, rows }
  }

  test('behavior: no list loses a row: whole, then whole with stale rows, then an error that names the chain', async () => {
    const { world } = started
    const { node, places } = await startNodeOf(SLOW)
    const clock = handClock()
    const moreHeads = { 8453: 50, 999: 50, 2201: 50, 11155111: 50 }
    const api = await startFreshApi({ world, rpcUrls: places, clock, moreHeads })
    const lists = (filter?: string) => Promise.all(LISTS.map((path) => list(api.url, path, filter)))
    const pass = async (ms: number) => {
      clock.advance(ms)
      // Answers are shared for a second.
      await sleep(1_100)
    }
    const health = async () => (await healthOf(api.url)).details[`rpc:${SLOW}`]

    const fresh = await lists()
    for (const { name, status, headers, rows } of fresh) {
      expect([name, status, headers.get('x-degraded-chains')]).toEqual([name, 200, null])
      expect(new Set(rows.map(({ stale }) => stale))).toEqual(new Set([false]))
      expect(rows.some(({ chainId }) => chainId === SLOW)).toBe(true)
      for (const { asOf } of rows) expect(Date.now() - Date.parse(asOf)).toBeLessThan(60_000)
    }
    expect(await health()).toMatchObject({ status: 'up' })

    await node.fall('slow')
    await pass(61_000)
    const old = await lists()
    for (const [index, { name, status, headers, rows }] of old.entries()) {
      expect([name, status]).toEqual([name, 200])
      expect(headers.get('x-degraded-chains')).toContain(String(SLOW))
      expect(headers.get('cache-control')).toMatch(/^no-/)
      const before = fresh[index]?.rows ?? []
      expect(rows.length).toBe(before.length)
      for (const [position, { chainId, stale, asOf }] of rows.entries())
        if (chainId === SLOW) expect([stale, asOf]).toEqual([true, before[position]?.asOf])
    }
    // A slow chain is not down; how slow it is shows when it has answered.
    expect(await health()).toMatchObject({ status: 'slow', latencyMs: expect.any(Number) })
    const { vault } = vaultDeployment('Harbor Dollar', SLOW)
    const deposit = `vaultAddress=${vault}&chainId=${SLOW}&depositAsset=${tokens.USDC}&depositAmount=5&userAddress=${USER}`
    const [prepared] = await Promise.all([
      getJson(`${api.url}/v2/earn/deposit?${deposit}`),
      expect.poll(async () => (await health())?.latencyMs).toBeGreaterThan(SLOW_MS - 100),
    ])
    expect(await health()).toMatchObject({ status: 'slow' })
    // Calldata is never prepared from an old state.
    expect([prepared.status, prepared.reason]).toEqual([503, 'RPC_UNAVAILABLE'])

    await node.fall('silent')
    // The other chains were read anew in between.
    await pass(240_000)
    const query = '{ all: vaultAssets(pageSize: 100) { vaultAssets { chainId stale asOf } } }'
    const [lost, others, partial] = await Promise.all([
      lists(),
      lists(`chainId != ${SLOW}`),
      ask(`${api.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query }),
      }),
    ])
    for (const { name, status, reason, body } of lost) {
      expect([name, status, reason]).toEqual([name, 503, 'RPC_UNAVAILABLE'])
      expect(body.error.message).toContain(String(SLOW))
      expect(body.error.details.at(-1)?.metadata).toMatchObject({ chainId: String(SLOW) })
    }
    for (const { name, status, rows } of others) {
      expect([name, status]).toEqual([name, 200])
      expect(rows.some(({ chainId }) => chainId === SLOW)).toBe(false)
    }
    const metadata = { chainId: String(SLOW) }
    expect(await partial.json()).toMatchObject({
      data: {
        all: {
          vaultAssets: expect.arrayContaining([expect.objectContaining({ chainId: 1 })]),
        },
      },
      errors: [
        {
          path: ['all'],
          extensions: { code: 503, details: [{ reason: 'RPC_UNAVAILABLE', metadata }] },
        },
      ],
    })

    await node.fall('well')
    await pass(2_100)
    for (const [index, { name, status, rows }] of (await lists()).entries()) {
      expect([name, status, rows.length]).toEqual([name, 200, fresh[index]?.rows.length])
      expect(rows.some(({ stale }) => stale)).toBe(false)
    }
  })

  test('error: nodes that never answered: an error, and down after three questions', async () => {
    const rpcUrls = { ...nodesOf(started.world), [SLOW]: ['http://127.0.0.1:1'] }
    const pulseTimes = { lateMs: 100, silenceMs: 200, pauseMs: 300 }
    const { url } = await startFreshApi({ world: started.world, rpcUrls, pulseTimes })
    expect((await healthOf(url)).details).toMatchObject({ [`rpc:${SLOW}`]: { status: 'slow' } })
    await expect
      .poll(() => healthOf(url))
      .toMatchObject({ status: 'error', error: { [`rpc:${SLOW}`]: { status: 'down' } } })
    expect(await list(url, 'vaults')).toMatchObject({ status: 503, reason: 'RPC_UNAVAILABLE' })
    const others = await list(url, 'vaults', `chainId != ${SLOW}`)
    expect([others.status, others.headers.get('x-degraded-chains')]).toEqual([200, null])
  })
})

describe('a contract that does not answer', () => {
  test('behavior: a deployment whose contracts do not answer hides no other', async () => {
    const { world } = started
    const file = JSON.parse(JSON.stringify(world.addressBook)) as AddressBook
    const wrong = file.vaults
      .flatMap(({ deployments }) => deployments)
      .find(({ chainId }) => chainId === 999)
    if (!wrong) throw new Error('a deployment')
    wrong.queues = wrong.queues.map((queue) => ({ ...queue, address: tokens.USDC }))
    const url = await startApi({ addressBook: file })
    const { status, headers, body } = await listVaultsOf(url, { pageSize: '100' })
    expect([status, headers.get('x-degraded-chains')]).toEqual([200, '999'])
    expect(body.vaults.map(({ name }) => name)).not.toContain('Harbor Gold')
    expect(body.vaults.length).toBe(5)
  })
})

describe('a contract that is not what it should be', () => {
  const client = () => worldClient(started.world, 1)
  revertChains(() => [client()])

  /** The deployments of chain 1, and the degraded chains of the answer. */
  async function readNames() {
    const url = await startApi()
    const { status, headers, body } = await listVaultsOf(url, { filter: 'chainId=1' })
    const names = body.vaults.map(({ name }) => name)
    return [status, headers.get('x-degraded-chains'), names, headers.get('cache-control')]
  }
  const whole = [
    200,
    null,
    ['Harbor Classic', 'Harbor Dollar', 'Harbor Ether', 'Harbor Prime'],
    'private, max-age=10',
  ]

  test.each(['vault', 'teller', 'accountant', 'depositor', 'queue', 'withdrawFeeModule'] as const)(
    'behavior: a %s that burns all gas hides no other deployment',
    async (contract) => {
      expect(await readNames()).toEqual(whole)
      const { vault, current } = vaultDeployment('Harbor Ether', 1)
      const address = contract === 'vault' ? vault : current[contract]
      await client().setCode({ address, bytecode: BURNER })
      expect(await readNames()).toEqual([
        200,
        '1',
        ['Harbor Classic', 'Harbor Dollar', 'Harbor Prime'],
        'no-store',
      ])
    },
  )

  test('behavior: a fee module that is none hides no other deployment, and is not taken for free', async () => {
    const { withdrawFeeModule: address } = vaultDeployment('Harbor Ether', 1).current
    await client().setCode({ address, bytecode: '0x60006000fd' })
    expect(await readNames()).toEqual([
      200,
      '1',
      ['Harbor Classic', 'Harbor Dollar', 'Harbor Prime'],
      'no-store',
    ])
  })

  test('behavior: a fee above everything hides no other deployment', async () => {
    const { depositFeeModule = zeroAddress } = vaultDeployment('Harbor Prime', 1).current
    await asOwner({ client: client() }, depositFeeModule, [
      ...(['function setFeeData(address, uint256, uint256)', tokens.USDC, 2n ** 40n, 0n] as const),
    ])
    expect(await readNames()).toEqual([
      200,
      '1',
      ['Harbor Classic', 'Harbor Dollar', 'Harbor Ether'],
      'no-store',
    ])
  })

  test('behavior: where none of them can be read, the list is empty and names the chain', async () => {
    const { world } = started
    const addressBook = JSON.parse(JSON.stringify(world.addressBook)) as AddressBook
    for (const { deployments } of addressBook.vaults)
      for (const deployment of deployments)
        deployment.queues = deployment.queues.map((queue) => ({ ...queue, address: BURNT }))
    await client().setCode({ address: BURNT, bytecode: BURNER })
    const url = await startApi({ addressBook })
    const { status, headers, body } = await listVaultsOf(url, { filter: 'chainId=1' })
    const degraded = headers.get('x-degraded-chains')
    expect([status, degraded, body.vaults]).toEqual([200, '1', []])
  })
})

type HealthReport = { status: string; details: Record<string, { latencyMs?: number }> }

async function healthOf(url: string): Promise<HealthReport> {
  return (await getJson<HealthReport>(`${url}/health`)).body
}

/** A proxy of a chain's node that can fail, and the nodes of the world with it. */
async function startNodeOf(chainId: number) {
  const { world, wsUrls } = started
  const place = { rpcUrl: world.rpcUrls[chainId] ?? '', wsUrl: wsUrls[chainId] ?? '' }
  const node = await startFaultyNode({ ...place, other: place })
  onTestFinished(node.stop)
  return { node, places: { ...nodesOf(started.world), [chainId]: [node.rpcUrl] } }
}

async function startApi(options: TestApiOptions = {}): Promise<string> {
  return (await startFreshApi({ world: started.world, ...options })).url
}
