import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { DEVNET_ACTORS } from '../../devnet/accounts.ts'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import { vaultDeployment } from '../../devnet/vaults/deployment.ts'
import { worldClient } from '../../devnet/world.ts'
import type { AddressBook } from '../../domain/addressBook/addressBook.ts'
import { startTestWorld, type TestWorld } from '../support/anvils.ts'
import { startTestApi, type TestApiOptions } from '../support/api.ts'
import { ask as askApi } from '../support/ask.ts'
import { undescribed } from '../support/describedAnswer.ts'
import { asOwner } from '../support/earn.ts'
import { getJson } from '../support/getJson.ts'
import { nodesOf } from '../support/vaultList.ts'

/** The requests of existing clients, in their form. */

const ALL_FIELDS = `id chainId environment yieldType vaultId depositTokenAddressId
  vault { id name chainId isDeleted boringVaultModuleId boringVaultAddress rolesAuthorityModuleId
    tellerModuleId accountantModuleId managerModuleId withdrawQueueModuleId
    communityCodeDepositorModuleId baseTokenAddressId baseTokenStandInId
    baseTokenStandIn { decimals symbol coinGeckoApiId } }
  depositTokenAddress { id address chainId name }`

type Row = {
  chainId: number
  yieldType: string
  depositTokenAddressId: string
  vault: Record<string, unknown> & { name: string }
  depositTokenAddress: { name: string }
}

let started: TestWorld
beforeAll(async () => {
  started = await startTestWorld([1, 4663, 999, 11_155_111], { withVaults: true })
})
afterAll(() => started?.stop())

describe('amplifySdkConfigs', () => {
  test('default: a row per deployment and asset that it takes, field by field', async () => {
    const rows = await ask('chainId: 999')
    const { vault, authority, base, current } = vaultDeployment('Harbor Gold', 999)
    const of = (token: `0x${string}`, name: string) => ({
      id: `999:${vault}:${token}`,
      chainId: 999,
      environment: 'DEVELOPMENT',
      yieldType: 'FRONTIER',
      vaultId: `999:${vault}`,
      depositTokenAddressId: token,
      vault: {
        id: `999:${vault}`,
        name: 'Harbor Gold',
        chainId: 999,
        isDeleted: false,
        boringVaultModuleId: vault,
        boringVaultAddress: vault,
        rolesAuthorityModuleId: authority,
        tellerModuleId: current.teller,
        accountantModuleId: current.accountant,
        managerModuleId: DEVNET_ACTORS.executor.address,
        withdrawQueueModuleId: current.queue,
        communityCodeDepositorModuleId: current.depositor,
        baseTokenAddressId: token,
        baseTokenStandInId: base,
        baseTokenStandIn: { decimals: 18, symbol: 'XAU', coinGeckoApiId: 'pax-gold' },
      },
      depositTokenAddress: { id: token, address: token, chainId: 999, name },
    })
    const { tokens } = DEPLOYMENT
    expect(rows).toEqual([of(tokens.USDS, 'USDS Stablecoin'), of(tokens.USDC, 'USD Coin')])
  })

  test('behavior: a base that is a token has no stand-in; what is deprecated is not there', async () => {
    const rows = await ask('')
    expect(rows.map(({ vault }) => vault.name)).not.toContain('Harbor Sunset')
    const ether = rows.find(({ vault }) => vault.name === 'Harbor Ether')
    expect(ether?.vault).toMatchObject({ baseTokenStandInId: null, baseTokenStandIn: null })
  })

  test('behavior: a client finds the vault of every row by the deposit token and the chain', async () => {
    const rows = await ask('')
    expect(rows.length).toBeGreaterThan(10)
    for (const { vault, depositTokenAddressId } of rows)
      expect(vault.baseTokenAddressId).toBe(depositTokenAddressId)
  })

  test('behavior: the rows are whole while no node answers; an asset that is only paid out has none', async () => {
    const book = structuredClone(started.world.addressBook)
    const dollar = book.vaults.find(({ name }) => name === 'Harbor Dollar')?.deployments[0]
    const [closed] = dollar?.assets ?? []
    const rows = await ask('', book)
    const silent = Object.fromEntries(book.chains.map(({ id }) => [id, ['http://127.0.0.1:1']]))
    expect(await ask('', book, silent)).toEqual(rows)
    if (closed) closed.depositable = false
    expect(await ask('', book, silent)).toHaveLength(rows.length - 1)
  })

  test('behavior: every argument filters, and one that is left out does not', async () => {
    const names = async (filters: string) => {
      const rows = await ask(filters)
      return [...new Set(rows.map(({ chainId, vault }) => `${vault.name} ${chainId}`))]
    }
    expect(await names('yieldType: PRIME')).toEqual(['Harbor Prime 1', 'Harbor Prime 11155111'])
    expect(await names('yieldType: PRIME, chainId: 1')).toEqual(['Harbor Prime 1'])
    expect(await names('environment: PRODUCTION')).toEqual([])
    expect(await names('environment: DEVELOPMENT, chainId: 999')).toEqual(['Harbor Gold 999'])
    expect(await names('chainId: 5')).toEqual([])
  })

  test('behavior: on equal chain, base and yield type the older depositor comes first', async () => {
    const order = async (generations: Record<string, 'A' | 'D'>) => {
      const book = JSON.parse(JSON.stringify(started.world.addressBook)) as AddressBook
      for (const entry of book.vaults.filter(({ name }) => name in generations)) {
        entry.yieldType = 'LENDING'
        for (const deployment of entry.deployments.filter(({ chainId }) => chainId === 1)) {
          deployment.baseToken = book.tokens[0]?.address ?? deployment.baseToken
          for (const depositor of deployment.depositors)
            depositor.generation = generations[entry.name] ?? 'D'
        }
      }
      const rows = await ask('chainId: 1, yieldType: LENDING', book)
      return [...new Set(rows.map(({ vault }) => vault.name))]
    }
    const [classic, dollar] = ['Harbor Classic', 'Harbor Dollar']
    expect(await order({ [classic]: 'A', [dollar]: 'D' })).toEqual([classic, dollar])
    expect(await order({ [classic]: 'D', [dollar]: 'A' })).toEqual([dollar, classic])
  })
})

describe('GET /v1/protocol/withdraw-assets', () => {
  const slippages = (assets: readonly string[], bps = 50) =>
    Object.fromEntries(assets.map((asset) => [asset.toLowerCase(), bps]))

  test('default: the slippage of every asset that is paid out, without a key', async () => {
    const url = await startApi({ settings: { depositSlippageBps: 35 } })
    const { status, body, headers } = await getWithdrawAssets(url)
    expect(undescribed(`${url}${WITHDRAW_ASSETS}`, status, body)).toEqual([])
    const { tokens } = DEPLOYMENT
    const gold = vaultDeployment('Harbor Gold', 999).vault.toLowerCase()
    expect(body['999']).toEqual({ [gold]: slippages([tokens.USDS, tokens.USDC], 35) })
    // Its shares can still be withdrawn.
    const sunset = vaultDeployment('Harbor Sunset', 11_155_111).vault.toLowerCase()
    expect(body['11155111']?.[sunset]).toMatchObject(slippages([tokens.USDG], 35))
    expect(headers.get('cache-control')).toBe('private, max-age=10')
  })

  test('behavior: of one chain and one vault where they are named, in either door', async () => {
    const url = await startApi()
    const { body: all } = await getWithdrawAssets(url)
    const { vault } = vaultDeployment('Harbor Dollar', 1)
    const key = vault.toLowerCase()
    const ofChain = { 1: all['1'] }
    const ofVault = Object.fromEntries(
      Object.keys(all).flatMap((id) => {
        const slippagesOf = all[id]?.[key]
        return slippagesOf ? [[id, { [key]: slippagesOf }]] : []
      }),
    )
    const asked = async (query: string) => (await getWithdrawAssets(url, query)).body
    expect(await asked('?chainId=1')).toEqual(ofChain)
    expect(await asked(`?vaultAddress=${vault}`)).toEqual(ofVault)
    const both = { 1: { [key]: all['1']?.[key] } }
    expect(await asked(`?chainId=1&vaultAddress=${vault}`)).toEqual(both)
    expect(await asked('?chainId=5')).toEqual({})
    expect((await getWithdrawAssets(url, '?chainId=one&vaultAddress=0x12')).status).toBe(400)
    const response = await askApi(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: `{ withdrawAssets(chainId: 1, vaultAddress: "${vault}") }` }),
    })
    expect(await response.json()).toMatchObject({ data: { withdrawAssets: both } })
  })

  test('behavior: an asset that its teller does not pay out is not there; a silent chain has those of the book', async () => {
    const client = worldClient(started.world, 999)
    const { vault, current } = vaultDeployment('Harbor Gold', 999)
    const { tokens } = DEPLOYMENT
    const snapshot = await client.snapshot()
    const closed = ['function removeWithdrawAsset(address)', tokens.USDC] as const
    await asOwner({ client }, current.teller, closed)
    const { body: open } = await getWithdrawAssets(await startApi())
    const rpcUrls = { ...nodesOf(started.world), 999: ['http://127.0.0.1:1'] }
    const { body: silent, headers } = await getWithdrawAssets(await startApi({ rpcUrls }))
    await client.revert({ id: snapshot })
    const of = (...assets: string[]) => ({ [vault.toLowerCase()]: slippages(assets) })
    expect(open['999']).toEqual(of(tokens.USDS))
    expect(silent).toEqual({ ...open, 999: of(tokens.USDS, tokens.USDC) })
    expect(headers.get('x-degraded-chains')).toBe('999')
  })
})

const WITHDRAW_ASSETS = '/v1/protocol/withdraw-assets'

function getWithdrawAssets(url: string, query = '') {
  type Slippages = Record<string, Record<string, Record<string, number>>>
  return getJson<Slippages>(`${url}${WITHDRAW_ASSETS}${query}`)
}

async function startApi(options: Partial<TestApiOptions> = {}): Promise<string> {
  const api = await startTestApi({ world: started.world, ...options })
  onTestFinished(api.stop)
  return api.url
}

async function ask(
  filters: string,
  addressBook = started.world.addressBook,
  rpcUrls?: Record<number, string[]>,
): Promise<Row[]> {
  const api = await startTestApi({
    world: started.world,
    addressBook,
    ...(rpcUrls && { rpcUrls }),
  })
  onTestFinished(api.stop)
  const list = filters ? `(${filters})` : ''
  const query = `{ rows: amplifySdkConfigs${list} { ${ALL_FIELDS} } }`
  const response = await askApi(`${api.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  })
  const { data, errors } = (await response.json()) as { data: { rows: Row[] }; errors?: unknown }
  expect(errors).toBeUndefined()
  return data.rows
}
