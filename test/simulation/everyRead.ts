import { DEVNET_USERS } from '../../devnet/accounts.ts'
import { VAULT_CHAINS, vaultDeployment } from '../../devnet/vaults/deployment.ts'
import type { RunFile } from '../../processes/start/runFile.ts'
import type { Field } from '../support/bothDoors.ts'
import {
  ACTIVITY,
  APYS,
  ASSETS,
  FEE,
  POSITIONS,
  REQUESTS,
  ROUTES,
  STATS,
  TVLS,
  VAULTS,
  VOLUMES,
} from '../support/parityFields.ts'

/** The answers as JSON by the question, each list with all of its pages. */
export type Answers = Record<string, string>

const ORDERS: Field = {
  path: '/v1/transit/orders',
  field: 'transitOrders',
  selection: `{ orders { id status finalized sourceChainId destinationChainId user transactionSender receiver offerAsset
    wantAsset offerAmount amountDue remainingAmountDue receiveTime createdAt updatedAt sourceTxHash
    protocolFee integratorFee integratorFeeReceiver deadline messageGuid timeline { step chainId txHash
    blockNumber timestamp amount remaining finalized } } nextPageToken totalCount }`,
  types: {
    userAddress: 'Address',
    filter: 'String',
    pageSize: 'Int!',
    pageToken: 'String',
    includeTotalCount: 'Boolean!',
  },
}

/** Its first request keeps waiting. */
const sunset = vaultDeployment('Harbor Sunset', 11_155_111)

export type Question = {
  path: string
  field?: Field
  variables: Record<string, string | number | boolean>
  /** A member that shows when it was read. */
  omit?: string
}

/** Every read of the product whose answer depends on chains and index alone, or some of them, over REST and GraphQL. */
export async function readEverything(
  { apiUrl, apiKey }: Pick<RunFile, 'apiUrl' | 'apiKey'>,
  until: number,
  asked: (question: Question) => boolean = () => true,
): Promise<Answers> {
  const answers: Answers = {}
  for (const { path, field, variables, omit } of questions(until).filter(asked)) {
    const name = `${path} ${JSON.stringify(variables)}`
    const rest = await allPages((page) => {
      const texts = Object.entries({ ...variables, ...page }).map(([key, value]) => [
        key,
        `${value}`,
      ])
      return send(`${apiUrl}${path}?${new URLSearchParams(Object.fromEntries(texts))}`, apiKey)
    })
    const withoutTimes = (key: string, value: unknown) =>
      key === omit || key === 'asOf' ? undefined : value
    answers[`REST ${name}`] = JSON.stringify(rest, withoutTimes)
    if (!field) continue
    const graphql = await allPages(async (page) => {
      const { data, errors } = (await send(`${apiUrl}/graphql`, apiKey, {
        query: documentOf(field, { ...variables, ...page }),
        variables: { ...variables, ...page },
      })) as { data: Record<string, Page>; errors?: unknown }
      if (errors) throw new Error(`${name}: ${JSON.stringify(errors)}`)
      return data[field.field] ?? {}
    })
    answers[`GraphQL ${name}`] = JSON.stringify(graphql, withoutTimes)
  }
  return answers
}

export function questions(until: number): Question[] {
  const list = { pageSize: 100 }
  const users = DEVNET_USERS.map(({ address: userAddress }) => ({ ...list, userAddress }))
  const places = VAULT_CHAINS.flatMap(({ deployments }) => deployments)
  const range = { startTime: until - 40 * 86_400, endTime: until }
  const series = { ...list, ...range, interval: 86_400, lookback: 86_400, orderByTimestamp: 'asc' }
  const of = (field: Field, variables: Question['variables']) => ({
    path: field.path,
    field,
    variables,
  })
  return [
    of(ROUTES, list),
    of(VAULTS, list),
    of(ASSETS, list),
    // Before the requests, whose `expectedAssets` is null while a chain's first read is late.
    { path: '/v2/earn/vaultCompositions', variables: list, omit: 'timestamp' },
    of(REQUESTS, list),
    {
      path: `/v2/earn/withdrawalRequests/${sunset.chainId}:${sunset.current.queue}:1`,
      variables: {},
    },
    of(APYS, { ...series, includeCurrent: false, apyWindow: 604_800 }),
    of(TVLS, { ...series, includeCurrent: false }),
    ...users.flatMap((variables) => [
      of(ORDERS, { ...variables, includeTotalCount: true }),
      // The local feeds are set again at each start.
      { ...of(POSITIONS, variables), omit: 'updatedAt' },
    ]),
    ...users.map(({ userAddress }) =>
      of(ACTIVITY, { ...list, filter: `userAddress = ${userAddress}` }),
    ),
    ...places.flatMap(({ vault: vaultAddress, chainId, base, plan }) => [
      of(VOLUMES, { ...list, ...range, vaultAddress, chainId, interval: 86_400 }),
      ...('token' in plan.base
        ? [of(FEE, { vaultAddress, chainId, offerAmount: '10000000', wantAsset: base })]
        : []),
    ]),
    of(STATS, { ...list, ...range, interval: 86_400 }),
    { path: '/v1/core/chains', variables: {}, omit: 'index' },
    { path: '/v1/core/tokens', variables: list, omit: 'updatedAt' },
    ...[
      '/v1/transit/routeApprovals',
      '/v2/earn/supplyCaps',
      '/v2/earn/liquidityShortfalls',
      '/v2/earn/smartDepositAddresses',
      '/v2/earn/smartDeposits',
      '/v2/webhooks/endpoints',
      '/v2/events',
    ].map((path) => ({ path, variables: list })),
  ]
}

type Page = Record<string, unknown> & { nextPageToken?: string | null }

async function allPages(read: (page: { pageToken?: string }) => Promise<Page>): Promise<unknown[]> {
  const bodies: unknown[] = []
  let pageToken: string | undefined
  do {
    const { nextPageToken, ...body } = await read(pageToken ? { pageToken } : {})
    bodies.push(body)
    pageToken = nextPageToken ?? undefined
  } while (pageToken)
  return bodies
}

export function documentOf(
  { field, selection, types }: Field,
  variables: Question['variables'],
): string {
  const given = Object.entries(types).filter(([name]) => name in variables)
  return `query (${given.map(([name, type]) => `$${name}: ${type}`).join(', ')}) {
    ${field}(${given.map(([name]) => `${name}: $${name}`).join(', ')}) ${selection} }`
}

async function send(url: string, apiKey: string, body?: object): Promise<Page> {
  const response = await fetch(url, {
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
  })
  if (!response.ok) throw new Error(`${response.status} ${url}: ${await response.text()}`)
  return (await response.json()) as Page
}
