import { zeroAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import { vaultDeployment } from '../../devnet/vaults/deployment.ts'
import { worldClient } from '../../devnet/world.ts'
import type { AddressBook } from '../../domain/addressBook/addressBook.ts'
import { startTestWorld, type TestWorld } from '../support/anvils.ts'
import type { TestApiOptions } from '../support/api.ts'
import { asOwner } from '../support/earn.ts'
import { startFreshApi } from '../support/freshApi.ts'
import { getJson } from '../support/getJson.ts'
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

describe('a chain that is down', () => {
  test('behavior: the others are served, and it is named', async () => {
    const url = await startApi({
      rpcUrls: { ...nodesOf(started.world), 2201: ['http://127.0.0.1:1'] },
    })
    const { status, headers, body } = await listVaultsOf(url, { pageSize: '100' })
    expect([status, headers.get('x-degraded-chains')]).toEqual([200, '2201'])
    const chains = body.vaults.flatMap(({ deployments }) =>
      deployments.map(({ chainId }) => chainId),
    )
    expect(new Set(chains)).toEqual(new Set([1, 8453, 999, 11_155_111]))
    const assets = await getJson(`${url}/v2/earn/vaultAssets?pageSize=100`)
    expect([assets.status, assets.headers.get('x-degraded-chains')]).toEqual([200, '2201'])
    // A request for that chain alone fails.
    const alone = await getJson(`${url}/v2/earn/vaults?filter=chainId%3D2201`)
    expect([alone.status, alone.reason]).toEqual([503, 'RPC_UNAVAILABLE'])
    const { vault } = vaultDeployment('Harbor Dollar', 2201)
    const deposit = `vaultAddress=${vault}&chainId=2201&depositAsset=${tokens.USDC}&depositAmount=5&userAddress=${tokens.USDC}`
    const prepared = await getJson(`${url}/v2/earn/deposit?${deposit}`)
    expect([prepared.status, prepared.reason]).toEqual([503, 'RPC_UNAVAILABLE'])
  })

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

  test('error: where none of them can be read, the chain cannot', async () => {
    const { world } = started
    const addressBook = JSON.parse(JSON.stringify(world.addressBook)) as AddressBook
    for (const { deployments } of addressBook.vaults)
      for (const deployment of deployments)
        deployment.queues = deployment.queues.map((queue) => ({ ...queue, address: BURNT }))
    await client().setCode({ address: BURNT, bytecode: BURNER })
    const url = await startApi({ addressBook })
    const { status, reason } = await getJson(`${url}/v2/earn/vaults?filter=chainId%3D1`)
    expect([status, reason]).toEqual([503, 'RPC_UNAVAILABLE'])
  })
})

async function startApi(options: TestApiOptions = {}): Promise<string> {
  return (await startFreshApi({ world: started.world, ...options })).url
}
