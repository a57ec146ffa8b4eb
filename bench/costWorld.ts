import { randomBytes } from 'node:crypto'
import { privateKeyToAccount } from 'viem/accounts'
import { migrate } from '../db/migrate.ts'
import { DEVNET_QUOTE_SIGNER_KEY } from '../devnet/accounts.ts'
import { DEPLOYMENT } from '../devnet/deployment.ts'
import { vaultDeployment } from '../devnet/vaults/deployment.ts'
import type { Caller } from '../domain/access/caller.ts'
import { createOrganization } from '../domain/access/organizations.ts'
import { PERMISSIONS } from '../domain/access/permissions.ts'
import type { AppServices } from '../domain/appContext.ts'
import { earnDeployments } from '../domain/earn/vaults/deployments.ts'
import { accountQuoteSigner } from '../domain/transit/signing/quoteSigner.ts'
import { createEndpoint } from '../domain/webhook/manageEndpoints.ts'
import { createLogger } from '../processes/logger.ts'
import { createServiceContext } from '../processes/serviceContext.ts'
import { startTestWorld } from '../test/support/anvils.ts'
import { createTestIndex } from '../test/support/createTestIndex.ts'
import { insertOrder, orderRow } from '../test/support/insertOrder.ts'
import { SETTINGS } from '../test/support/settings.ts'
import {
  addressNamed,
  hashOf,
  insertAddress,
  insertDeposit,
  recordDepositEvent,
} from '../test/support/smartDeposits.ts'
import { insertFacts } from '../test/support/testIndex.ts'
import { insertLife } from '../test/support/vaultLives.ts'
import { insertWithdrawOrders, withdrawOrder } from '../test/support/withdrawOrders.ts'
import { startBenchPostgres } from './benchPostgres.ts'

/** Rows of each list: a full page. */
const ROWS = 100
const HOURS = 720
const RAY = 1_000_000n
const USER = addressNamed('user')
const numbers = Array.from({ length: ROWS }, (_, index) => index)

export type CostWorld = {
  context: AppServices
  caller: Caller
  /** The arguments of a root field, as GraphQL writes them. */
  argumentsOf(field: string): Record<string, string>
  stop(): Promise<void>
}

/** Nodes with vaults, and the services over an index with a full page of everything. */
export async function startCostWorld(): Promise<CostWorld> {
  const started = new AsyncDisposableStack()
  const postgres = await startBenchPostgres()
  started.defer(postgres.stop)
  const { world, stop } = await startTestWorld([1, 4663], { withVaults: true })
  started.defer(stop)
  await migrate(postgres.url)
  await createTestIndex(postgres.url)
  const { context, stop: stopServices } = createServiceContext({
    applicationName: 'bench',
    databaseUrl: postgres.url,
    addressBook: world.addressBook,
    chainUrls: new Map(
      world.addressBook.chains.map(({ id }) => [
        id,
        { rpcUrls: [world.rpcUrls[id] ?? 'http://127.0.0.1:1'], wsUrls: [] },
      ]),
    ),
    appSecret: randomBytes(32),
    secretsKey: randomBytes(32),
    webhookTargets: { allowPrivate: true },
    quoteSigner: accountQuoteSigner(privateKeyToAccount(DEVNET_QUOTE_SIGNER_KEY)),
    attestations: null,
    settings: SETTINGS,
    logger: createLogger('bench', 'silent'),
  })
  started.defer(stopServices)
  const administrator = { sql: context.sql, appSecret: context.appSecret, actor: 'bench' }
  const { id: organizationId } = await createOrganization(administrator, 'Bench')
  const caller: Caller = {
    organizationId,
    actor: 'key:bench',
    permissions: PERMISSIONS,
    changes: PERMISSIONS,
    member: null,
    rateLimitTier: 'unlimited',
    defaultDistributorCode: null,
    slippageBps: 50,
    settleOnSubmit: false,
  }
  await seedTransit(context)
  await seedEarn(context)
  const { endpoint } = await createEndpoint(
    {
      sql: context.sql,
      actor: 'bench',
      secretsKey: context.secretsKey,
      targets: context.webhookTargets,
      vaults: null,
    },
    organizationId,
    { url: 'http://127.0.0.1:1/', eventTypes: ['smart_deposit.*'] },
  )
  // After the endpoint, so that it has a delivery of each event.
  await seedSmartDeposits(context, organizationId)
  await seedAccess(context, organizationId)
  const given = argumentsFor(endpoint.id)
  return {
    context,
    caller,
    argumentsOf: (field) => given[field] ?? {},
    stop: () => started.disposeAsync(),
  }
}

async function seedTransit({ sql }: AppServices) {
  const [offer_asset, want_asset] = [DEPLOYMENT.tokens.USDC, DEPLOYMENT.tokens.USDG]
  for (const number of numbers)
    await insertOrder(
      sql,
      orderRow({
        id: hashOf(`order ${number}`),
        user_address: USER,
        offer_asset: lower(offer_asset),
        want_asset: lower(want_asset),
      }),
    )
}

async function seedEarn({ sql, addressBook }: AppServices) {
  const begin = Math.floor(Date.now() / 3_600_000) * 3_600 - HOURS * 3_600
  for (const { chainId, vault } of earnDeployments(addressBook)) {
    if (chainId !== 1 && chainId !== 4663) continue
    const state = (hour: number) => ({
      time: begin + hour * 3_600,
      block: hour + 1,
      supply: 1_000n * RAY + BigInt(hour),
      holders: 5,
      supplyBlock: hour + 1,
      rate: RAY + BigInt(hour),
      rateBlock: hour + 1,
    })
    const later = Array.from({ length: HOURS - 1 }, (_, hour) => state(hour + 1))
    await insertLife(sql, { chainId, vault, openingRate: RAY, states: [state(0), ...later] })
  }
  const { vault, current } = vaultDeployment('Harbor Dollar', 1)
  await insertFacts(
    sql,
    'vault_activity',
    numbers.map((number) => ({
      chain_id: 1,
      transaction_hash: hashOf(`activity ${number}`),
      vault: lower(vault),
      type: 'DEPOSIT',
      user_address: USER,
      shares: number,
      rate: String(RAY),
    })),
  )
  await insertWithdrawOrders(
    sql,
    numbers.map((order_index) =>
      withdrawOrder({
        order_index,
        user_address: USER,
        vault: lower(vault),
        queue: lower(current.queue),
        want_asset: lower(DEPLOYMENT.tokens.USDC),
      }),
    ),
  )
}

async function seedSmartDeposits({ sql }: AppServices, organizationId: string) {
  for (const number of numbers) {
    const address = addressNamed(`deposit address ${number}`)
    const depositId = hashOf(`deposit ${number}`)
    await insertAddress(sql, [organizationId], { address, customerId: `customer_${number}` })
    await insertDeposit(sql, { deposit_id: depositId, address })
    const type = 'smart_deposit.deposit.pending'
    await recordDepositEvent(sql, { organizationIds: [organizationId], depositId, type })
  }
}

async function seedAccess({ sql }: AppServices, organizationId: string) {
  await sql`
    insert into app.api_key (public_id, organization_id, secret_hash)
    select 'key ' || n, ${organizationId}, '' from generate_series(1, ${ROWS}) n`
  await sql`
    insert into app.api_usage
      (organization_id, hour, public_id, requests, points, refused, invalid, failed)
    select ${organizationId}, date_trunc('hour', now()) - n * interval '1 hour', 'key ' || k,
      1, 1, 0, 0, 0
    from generate_series(0, 23) n, generate_series(1, ${ROWS}) k`
  await sql`
    insert into app.request_log (slot, at, organization_id, public_id, request_id, method, route,
      status, latency_ms, points)
    select 0, now() - n * interval '1 second', ${organizationId}, 'key', 'r' || n, 'GET', '/', 200,
      1, 1
    from generate_series(1, 10000) n`
}

const lower = (address: string) => address.toLowerCase() as `0x${string}`

function argumentsFor(endpointId: string): Record<string, Record<string, string>> {
  const { vault, current } = vaultDeployment('Harbor Dollar', 1)
  const text = (value: string) => JSON.stringify(value)
  const { USDC, USDG } = DEPLOYMENT.tokens
  const page = { pageSize: '100' }
  const ofUser = { ...page, userAddress: text(USER) }
  const place = { vaultAddress: text(vault), chainId: '1' }
  const prepared = { ...place, userAddress: text(USER) }
  const now = Math.floor(Date.now() / 1_000)
  const transfer = { chainId: '1', tokenAddress: text(USDC), amount: text('1000000') }
  return {
    apiKeys: page,
    apiUsage: page,
    events: page,
    liquidityShortfalls: page,
    requestLog: page,
    smartDepositAddresses: page,
    smartDeposits: page,
    supplyCaps: page,
    tokens: page,
    transitRoutes: page,
    transitRouteApprovals: page,
    transitStats: {
      ...page,
      startTime: String(now - HOURS * 3_600),
      endTime: String(now),
      interval: '3600',
    },
    vaultAssets: page,
    vaultCompositions: page,
    vaults: page,
    webhookEndpoints: page,
    vaultApys: { ...page, interval: '3600' },
    vaultTvls: { ...page, interval: '3600' },
    withdrawalRequests: page,
    activity: { ...page, filter: text(`userAddress = ${USER}`) },
    transitOrders: ofUser,
    userPositions: ofUser,
    webhookDeliveries: { ...page, endpointId: text(endpointId) },
    webhookEndpoint: { endpointId: text(endpointId) },
    smartDeposit: { depositId: text(hashOf('deposit 1')) },
    transitSubmission: { chainId: '1', txHash: text(hashOf('order 1')) },
    transitOrder: { id: text(hashOf('order 1')) },
    withdrawalRequest: { id: text(`1:${lower(current.queue)}:1`) },
    withdrawalVolumes: {
      ...page,
      vaultAddress: text(vault),
      startTime: String(now - HOURS * 3_600),
      endTime: String(now),
    },
    withdrawalFee: { ...place, offerAmount: text('10000000'), wantAsset: text(USDC) },
    withdraw: { ...prepared, shareAmount: text('10000000'), wantAsset: text(USDC) },
    deposit: { ...prepared, depositAmount: text('2000000000'), depositAsset: text(USDC) },
    cancelWithdrawal: { ...place, orderIndex: text('1') },
    depositAuthorization: { ...transfer, ...prepared },
    transitAuthorization: { ...transfer, userAddress: text(USER) },
    transitOrderQuote: {
      userAddress: text(USER),
      offerAmount: text('2000000000'),
      offerAsset: text(USDC),
      sourceChainId: '1',
      wantAsset: text(USDG),
      destinationChainId: '4663',
    },
  }
}
