import type { GraphQLFieldResolver } from 'graphql'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { schema } from '../../schema/schema.ts'
import { startTestWorld, type TestWorld } from '../support/anvils.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { ask } from '../support/ask.ts'
import { startFaultyNode } from '../support/faultyNode.ts'
import { bookOfManyVaults } from '../support/manyVaults.ts'

/** The cost limit of GraphQL operations, and how the cost is counted. */

type Answer = {
  data?: Record<string, unknown>
  errors?: { message: string; extensions: { code: number; details: { reason?: string }[] } }[]
  extensions?: { cost: { requested: number; maximum: number } }
}

let started: TestWorld
beforeAll(async () => {
  started = await startTestWorld([1, 4663], { withVaults: true })
})
afterAll(() => started?.stop())

async function post(
  { url }: Pick<TestApi, 'url'>,
  query: string,
  variables?: object,
  path = '/graphql',
) {
  const response = await ask(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  })
  return { status: response.status, text: await response.text() }
}

async function answer(...request: Parameters<typeof post>): Promise<Answer & { status: number }> {
  const { status, text } = await post(...request)
  return { status, ...(JSON.parse(text) as Answer) }
}

async function startApi(options: Parameters<typeof startTestApi>[0] = {}): Promise<TestApi> {
  const api = await startTestApi({ world: started.world, ...options })
  onTestFinished(api.stop)
  return api
}

/** Counts the calls of root fields' resolvers and subscriptions, until the test ends. */
function countRoots(): () => number {
  let count = 0
  const types = [schema.getQueryType(), schema.getSubscriptionType()]
  for (const field of types.flatMap((type) => Object.values(type?.getFields() ?? {})))
    for (const part of ['resolve', 'subscribe'] as const) {
      const original = field[part] as GraphQLFieldResolver<unknown, unknown> | undefined
      if (!original) continue
      field[part] = (...resolved: Parameters<typeof original>) => {
        count += 1
        return original(...resolved)
      }
      onTestFinished(() => {
        field[part] = original
      })
    }
  return () => count
}

/** Counts the statements of an api's requests, without those that look up its key. */
function countStatements({ context }: TestApi): () => number {
  let count = 0
  const note = (_: number, query: string) => {
    if (!query.includes('app.api_key')) count += 1
  }
  for (const sql of [context.sql, context.keySql, context.adHocSql]) sql.options.debug = note
  return () => count
}

const DEEP =
  'deployments { assets { depositFees { bps } withdrawFees { bps } withdrawalSLAs { expectedDelay } } }'
const WIDE = `{ ${Array.from({ length: 6 }, (_, n) => `a${n}: vaults(pageSize: 100) { vaults { ${DEEP} } }`).join(' ')} }`
const ID = `0x${'1'.repeat(64)}`

describe('the cost', () => {
  test('default: in extensions, over /graphql and the stream', async () => {
    const api = await startApi()
    const query =
      'query ($n: Int!) { transitOrders(pageSize: $n, filter: "txHash=0x1") { orders { id } } }'
    expect((await answer(api, query, { n: 50 })).extensions).toEqual({
      cost: { requested: 100, maximum: 10_000 },
    })
    const { text } = await post(api, query, { n: 50 }, '/graphql/stream')
    expect(text).toContain('"extensions":{"cost":{"requested":100,"maximum":10000}}')
  })

  test('behavior: amplifySdkConfigs is admitted whole, beside others', async () => {
    const api = await startApi()
    const { status, data, errors, extensions } = await answer(
      api,
      `{ amplifySdkConfigs { id chainId environment yieldType vaultId depositTokenAddressId
        vault { id name chainId isDeleted boringVaultModuleId boringVaultAddress
          rolesAuthorityModuleId tellerModuleId accountantModuleId managerModuleId
          withdrawQueueModuleId communityCodeDepositorModuleId baseTokenAddressId
          baseTokenStandInId baseTokenStandIn { decimals symbol coinGeckoApiId } }
        depositTokenAddress { id address chainId name } } }`,
    )
    expect([status, errors, extensions?.cost.requested]).toEqual([200, undefined, 601])
    expect(data?.amplifySdkConfigs).not.toHaveLength(0)
  })

  test.each<[string, string, string]>([
    ['costs too much', WIDE, 'OPERATION_TOO_COSTLY'],
    [
      'is too deep',
      `{ __typename ${'_meta { chains { '.repeat(7)} chainId ${'} } '.repeat(7)} }`,
      'INVALID_GRAPHQL',
    ],
    [
      'has too many aliases',
      `{ ${Array.from({ length: 31 }, (_, n) => `a${n}: _meta { __typename }`).join(' ')} }`,
      'INVALID_GRAPHQL',
    ],
    [
      'reads the schema thirty times',
      `{ ${Array.from({ length: 30 }, (_, n) => `a${n}: __schema { types { name fields { name } } }`).join(' ')} }`,
      'INVALID_GRAPHQL',
    ],
    [
      'reads too much of the schema',
      `{ __schema { types { ${Array.from({ length: 29 }, (_, n) => `a${n}: fields { type { fields { type { name } } } }`).join(' ')} } } }`,
      'OPERATION_TOO_COSTLY',
    ],
    ['has too many tokens', `{ ${'_meta { __typename } '.repeat(600)} }`, 'INVALID_GRAPHQL'],
    [
      'leaves an argument null',
      'query ($n: Int) { vaults(pageSize: $n) { nextPageToken } _meta { __typename } }',
      'INVALID_GRAPHQL',
    ],
  ])('error: what %s is refused before any resolver runs', async (_, query, reason) => {
    const api = await startApi()
    const resolved = countRoots()
    const statements = countStatements(api)
    const overHttp = await answer(api, query, { n: null })
    expect([overHttp.status, overHttp.data]).toEqual([400, undefined])
    expect(overHttp.errors?.[0]?.extensions.details.at(-1)?.reason).toBe(reason)
    const streamed = await post(api, query, { n: null }, '/graphql/stream')
    expect(streamed.status).toBe(400)
    expect(streamed.text).toContain(`"reason":"${reason}"`)
    expect([resolved(), statements()]).toEqual([0, 0])
    // An operation within the limits is counted, so the zeros above are real.
    await answer(api, `{ transitOrder(id: "${ID}") { id } }`)
    expect(resolved()).toBe(1)
    expect(statements()).toBeGreaterThan(0)
  })
})

describe('nested fields', () => {
  test('behavior: 100 vaults take as many statements and calls as 10 do', async () => {
    const url = started.world.rpcUrls[1] ?? ''
    const node = { rpcUrl: url, wsUrl: url.replace('http', 'ws') }
    const countOf = async (count: number) => {
      const proxy = await startFaultyNode({ ...node, other: node })
      onTestFinished(proxy.stop)
      const models = [{ name: 'Harbor Dollar', chainId: 1 }]
      const addressBook = await bookOfManyVaults(started.world, { models, count })
      const rpcUrls = { 1: [proxy.rpcUrl], 4663: [started.world.rpcUrls[4663] ?? ''] }
      const api = await startApi({ addressBook, rpcUrls })
      const statements = countStatements(api)
      const { data, errors } = await answer(
        api,
        `{ vaults(pageSize: 100, filter: "chainId = 1") { vaults { name ${DEEP} } }
          supplyCaps(pageSize: 100, filter: "chainId = 1") { supplyCaps { vaultAddress percentageFilled } }
          vaultAssets(pageSize: 100, filter: "chainId = 1") { vaultAssets { assetAddress depositable } tokenMetadata }
          vaultCompositions(pageSize: 100, filter: "chainId = 1") { vaultCompositions { components { assetAddress value } } }
          amplifySdkConfigs(chainId: 1) { vault { name } depositTokenAddress { name } } }`,
      )
      expect(errors).toBeUndefined()
      const page = data?.vaults as { vaults: unknown[] }
      return {
        vaults: page.vaults.length,
        statements: statements(),
        calls: proxy.takeCalls().length,
      }
    }
    const few = await countOf(10)
    const many = await countOf(100)
    expect([few.vaults, many.vaults]).toEqual([few.vaults, 100])
    expect(few.vaults).toBeLessThan(20)
    expect(many).toEqual({ ...few, vaults: 100 })
    expect(many.calls).toBeGreaterThan(0)
    expect(many.calls).toBeLessThan(20)
  })
})

describe('the schema in error messages', () => {
  const names = ['transitOrderz', 'vault']
  test.each(names)('behavior: a wrong name (%s) is refused without suggestions', async (name) => {
    const { errors } = await answer(await startApi(), `{ ${name} { id } }`)
    expect(errors?.[0]?.message).toContain('Cannot query field')
    expect(JSON.stringify(errors)).not.toContain('Did you mean')
  })

  test('behavior: so is a wrong value of a variable', async () => {
    const query = 'query ($e: Environment) { amplifySdkConfigs(environment: $e) { id } }'
    const { errors } = await answer(await startApi(), query, { e: 'PRODUCTIO' })
    expect(JSON.stringify(errors)).toContain('PRODUCTIO')
    expect(JSON.stringify(errors)).not.toContain('Did you mean')
  })
})
