import { randomBytes } from 'node:crypto'
import openapiTypes, { astToString } from 'openapi-typescript'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connect } from '../../db/sql.ts'
import { seedVaults } from '../../devnet/vaults/seedVaults.ts'
import { worldClient } from '../../devnet/world.ts'
import { keyOf } from '../support/ask.ts'
import { curlPages } from '../support/curlPages.ts'
import { undescribed } from '../support/describedAnswer.ts'
import { generateGraphqlTypes } from '../support/generateGraphqlTypes.ts'
import { getJson } from '../support/getJson.ts'
import { untilIndexed } from '../support/indexer.ts'
import { installSdk } from '../support/installSdk.ts'
import { pastedCalls, pasteGraphql } from '../support/pastedCalls.ts'
import { pasteShell, shellBlocks } from '../support/pasteShell.ts'
import { startTestProduct, type TestProduct } from '../support/product.ts'
import { createStrangersProject, type StrangersProject } from '../support/strangersProject.ts'
import { until } from '../support/until.ts'
import { testAdministrationPages } from './administrationPages.ts'
import { testConsoleJourney } from './consoleJourney.ts'
import { testMcpTools } from './mcpTools.ts'
import { testSdkExamples } from './sdkExamples.ts'
import { testSdkJourneys } from './sdkJourneys.ts'
import { testSdkPage } from './sdkPage.ts'
import { testSdkReact } from './sdkReact.ts'
import { testSdkReadme } from './sdkReadme.ts'
import { testSdkRuntimes } from './sdkRuntimes.ts'
import { testSdkSafe } from './sdkSafe.ts'
import { testSdkTesting } from './sdkTesting.ts'
import { testSdkTroubles } from './sdkTroubles.ts'
import { GRAPHQL_CLIENT, GRAPHQL_DOCUMENT, REST_CLIENT } from './strangersClients.ts'
import { testTryItJourneys } from './tryItJourneys.ts'

/** The expected answer of each call of each page, in the order of the page. */
const PAGES: Record<string, string[]> = {
  'earn/deposit.md': [
    'vaults.0.deployments.0.depositorAddress',
    'method',
    'transaction.functionName',
  ],
  'earn/deposit-from-anywhere.md': ['amountOut', 'method', 'journey.amountOut', 'journeys'],
  'earn/withdraw.md': [
    'feeAmount',
    'transaction.functionName',
    'method',
    'transaction.functionName',
    'withdrawalRequests.0.queuePosition',
    'withdrawalRequest.queuePosition',
  ],
  'earn/reads.md': [
    'vaults.0.deployments.0.depositorAddress',
    'vaultAssets.0.assetAddress',
    'supplyCaps.0.totalSupplyInBase',
    'vaultCompositions.0.components.0.weight',
    'userPositions.0.positionValueInBase',
  ],
  'earn/activity.md': ['activity.0.valueInBase'],
  'earn/analytics.md': [
    'vaultTvls.0.tvl',
    'vaultApys',
    'withdrawalVolumes.0.assetAmount',
    'liquidityShortfalls',
  ],
}

/** The pages that another test runs, in the same way. */
const RUN_ELSEWHERE: Record<string, string> = {
  'docs/webhooks.md': 'test/docs/webhooks.test.ts, with a receiver',
  'docs/guides/treasury-with-smart-deposits.md':
    'test/endToEnd/smartDepositLife.test.ts, with a keeper',
  'docs/guides/wallet-with-transit.md':
    'test/endToEnd/quoteToSettlement.test.ts, with an order that is paid',
  'docs/operating/production.md':
    'test/simulation/operatingPages.test.ts, with the files of variables that the page makes',
  'docs/track-an-order.md': 'test/endToEnd/quoteToSettlement.test.ts, with an order that is paid',
}

/** Calls that cannot be pasted, with the reason. */
const NOT_RUN: Record<string, string> = {
  "`curl -G --data-urlencode 'filter=…'`": 'shows two options, without a URL',
  "`curl -X PUT -H 'x-api-key: causeway-devnet-attestations' http://127.0.0.1:54331/admin/payer-refusals/0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266`":
    'changes the answers of the local provider',
  "`curl -s 'localhost:4000/v2/earn/vaults?filter=name%20%3D%20%22…%22' -H 'x-api-key: …'`":
    'the name of the new vault and the key are the reader’s own',
}

const CURL_PAGES = await curlPages()

describe('docs/earn', () => {
  let product: TestProduct
  let sdkProject: StrangersProject
  const variables = {
    SECRETS_KEY: randomBytes(32).toString('hex'),
    WEBHOOK_ALLOW_PRIVATE: 'true',
  }
  beforeAll(async () => {
    const chainIds = [1, 4663, 11_155_111]
    product = await startTestProduct({ withVaults: true, withConsole: true, chainIds, variables })
    await seedVaults(product.world)
    sdkProject = await createStrangersProject()
    await Promise.all([untilAllIsIndexed(product), installSdk(sdkProject.folder)])
  })
  afterAll(async () => {
    await product?.stop()
    await sdkProject?.[Symbol.asyncDispose]()
  })

  test.each(Object.entries(PAGES))(
    'behavior: the calls of %s answer as they are pasted',
    async (page, shown) => {
      const { paths } = await pastedCalls(page)
      expect(paths).toHaveLength(shown.length)
      for (const [index, path] of paths.entries()) {
        const { url, status, body } = await getJson(`${product.url}${path}`)
        expect([path, status, status === 200 || body]).toEqual([path, 200, true])
        expect(undescribed(url, status, body)).toEqual([])
        expect(body).toHaveProperty(shown[index] ?? '')
      }
    },
  )

  test('behavior: its GraphQL too', async () => {
    const { graphql } = await pastedCalls('earn/reads.md')
    const [vaults, configs] = await Promise.all(
      graphql.map((body) => pasteGraphql(product.url, body)),
    )
    expect(vaults).toHaveProperty('data.vaults.vaults.1.deployments.0.depositSupplyCap.hasCap')
    expect(configs).toHaveProperty('data.amplifySdkConfigs.0.vault.tellerModuleId')
  })

  test.each(CURL_PAGES.filter(({ page, script }) => script !== '' && !(page in RUN_ELSEWHERE)))(
    'behavior: every curl of $page runs as it stands',
    async ({ script }) => {
      expect(await pasteShell(product, script)).not.toContain('"errors":[')
    },
  )

  test('behavior: a curl that is no command is listed with its reason', () => {
    const outside = CURL_PAGES.flatMap((page) => page.outside)
    expect(outside.toSorted()).toEqual(Object.keys(NOT_RUN).toSorted())
    const pages = CURL_PAGES.map(({ page }) => page)
    expect(pages).toEqual(expect.arrayContaining(Object.keys(RUN_ELSEWHERE)))
  })

  test('behavior: the deposit of docs/quickstart.md', async () => {
    const [, , deposit = ''] = await shellBlocks('quickstart.md')
    const output = await pasteShell(product, deposit)
    expect(output).toMatch(/chainId: 1,\s+shareBalance: '[1-9]/)
  })

  test('behavior: clients that are generated from the served documents compile and run', async () => {
    await using project = await createStrangersProject()
    const served = async (path: string) => (await fetch(`${product.url}${path}`)).text()
    const rest = await openapiTypes(JSON.parse(await served('/openapi.json')))
    await project.write('causeway.ts', astToString(rest))
    await project.write('rest.ts', REST_CLIENT)
    const types = await generateGraphqlTypes(await served('/schema.graphql'), GRAPHQL_DOCUMENT)
    expect(types).not.toMatch(/: any\b/)
    await project.write('types.ts', types)
    await project.write('graphql.ts', GRAPHQL_CLIENT)
    expect(await project.check('rest.ts', 'graphql.ts')).toBe('')
    const variables = { API_URL: product.url, API_KEY: keyOf(product.url) ?? '' }
    const name = expect.stringMatching(/^Harbor /)
    expect(JSON.parse(await project.run('rest.ts', variables))).toEqual({
      name,
      reason: 'VAULT_NOT_FOUND',
    })
    expect(JSON.parse(await project.run('graphql.ts', variables))).toEqual({
      name,
      address: expect.stringMatching(/^0x/),
    })
  })

  const projectWithSdk = () => sdkProject
  testSdkPage(() => product, projectWithSdk)
  testSdkReadme(() => product, projectWithSdk)
  testSdkExamples(() => product, projectWithSdk, variables)
  testSdkJourneys(() => product)
  testMcpTools(() => product)
  testSdkTesting(() => product)
  testSdkTroubles(() => product)
  testSdkReact(() => product, projectWithSdk)
  testSdkSafe(() => product)
  testSdkRuntimes(() => product, projectWithSdk)
  testConsoleJourney(() => product)
  testTryItJourneys(() => product)
  testAdministrationPages(() => product)

  test('behavior: how long an answer may be kept', async () => {
    const pages = await Promise.all(Object.keys(PAGES).map(pastedCalls))
    const kept = await Promise.all(
      pages
        .flatMap(({ paths }) => paths)
        .map(async (path) => {
          let headers = new Headers()
          // An answer that lacks a part, because a node was slow, is never kept.
          const isWhole = async () => {
            headers = (await getJson(`${product.url}${path}`)).headers
            return !headers.has('x-degraded-chains')
          }
          await until(isWhole, () => `${path} lacks a part`)
          return [new URL(path, 'http://x').pathname, headers.get('cache-control')]
        }),
    )
    expect(Object.fromEntries(kept)).toEqual({
      '/v2/earn/vaults': 'private, max-age=10',
      '/v2/earn/vaultAssets': 'private, max-age=10',
      '/v2/core/authorization': 'no-store',
      '/v2/earn/deposit': 'no-store',
      '/v2/earn/journeys/quote': 'no-store',
      '/v2/earn/journeys': 'private, no-cache',
      '/v2/earn/withdraw': 'no-store',
      '/v2/earn/calculateWithdrawalFee': 'no-store',
      '/v2/earn/withdraw/cancel': 'no-store',
      '/v2/earn/withdrawalRequests': 'no-cache',
      '/v2/earn/withdrawalRequests/1:0xD9e7A488c4C7187fabeE79396FE9c905Eb1cDeab:1': 'no-cache',
      '/v2/earn/withdrawalVolumes': 'private, max-age=10',
      '/v2/earn/liquidityShortfalls': 'private, max-age=10',
      '/v2/earn/activity': 'private, no-cache',
      '/v2/earn/userPositions': 'no-cache',
      '/v2/earn/vaultTvls': 'private, max-age=10',
      '/v2/earn/vaultApys': 'private, max-age=10',
      '/v2/earn/supplyCaps': 'private, max-age=10',
      '/v2/earn/vaultCompositions': 'private, max-age=10',
    })
  })
})

async function untilAllIsIndexed({ world, databaseUrl }: TestProduct) {
  const sql = connect(databaseUrl, { applicationName: 'test', max: 1 })
  const heads = await Promise.all(
    [1, 11_155_111].map(async (id) => [id, Number(await worldClient(world, id).getBlockNumber())]),
  )
  await untilIndexed(sql, Object.fromEntries(heads)).finally(() => sql.end())
}
