import { getAddress } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { LAST_UNIX_TIME } from '../../domain/page/unixTime.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { ask } from '../support/ask.ts'
import { getJson } from '../support/getJson.ts'
import { listedWithdrawals, QUEUES, USERS } from '../support/listedWithdrawals.ts'
import { LOWER_CASE_ADDRESS } from '../support/refusal.ts'
import { insertFacts } from '../support/testIndex.ts'
import { addressOf, START, withdrawalAddressBook } from '../support/withdrawOrders.ts'

let api: TestApi
beforeAll(async () => {
  api = await startTestApi({ addressBook: withdrawalAddressBook })
  await listedWithdrawals(() => api).addMixed()
  const place = { chain_id: 1, vault: addressOf('both'), asset: addressOf('asset') }
  const paid = { block_timestamp: START + 5, shares: 7, assets: 6 }
  await insertFacts(api.context.sql, 'withdrawal', [{ ...place, ...paid }])
})
afterAll(() => api?.stop())

const REQUESTS = '/v2/earn/withdrawalRequests'
const VOLUMES = '/v2/earn/withdrawalVolumes'

const volumes = {
  vaultAddress: addressOf('both'),
  startTime: START,
  endTime: START + 10,
  pageSize: 25,
}
const only = (filter: string) => ({ filter, pageSize: 25 })

const CASES: [name: string, path: string, parameters: Record<string, unknown>, status: number][] = [
  ['all requests', REQUESTS, { pageSize: 100 }, 200],
  ['a page of them', REQUESTS, { pageSize: 1 }, 200],
  ['a user, in another case', REQUESTS, only(`userAddress = ${getAddress(USERS[0] ?? '0x')}`), 200],
  ['a receiver', REQUESTS, only(`receiverAddress = ${getAddress(USERS[1] ?? '0x')}`), 200],
  ['a transaction', REQUESTS, only(`txHash = 0x${'AB'.repeat(32)}`), 200],
  ['half a transaction', REQUESTS, only('txHash = 0xab'), 400],
  ['a status in quotes', REQUESTS, only('status = "PENDING_REFUND"'), 200],
  ['an index', REQUESTS, only('orderIndex = 3'), 200],
  ['an index in quotes, as answers have it', REQUESTS, only('orderIndex = "3"'), 200],
  ['an index that no queue will ever have', REQUESTS, only(`orderIndex = ${2n ** 256n - 1n}`), 200],
  [
    'a vault or a chain',
    REQUESTS,
    only(`vaultAddress = ${QUEUES[2]?.vault} OR chainId = 4663`),
    200,
  ],
  ['a chain that there is not', REQUESTS, only('chainId = 9007199254740991'), 200],
  ['a status that is none', REQUESTS, only('status = PAID'), 400],
  ['a finer status of the chain', REQUESTS, only('status = COMPLETE_PRE_FILLED'), 400],
  ['a negative index', REQUESTS, only('orderIndex = -1'), 400],
  ['an index too large', REQUESTS, only(`orderIndex = ${2n ** 256n}`), 400],
  ['half an address', REQUESTS, only('userAddress = 0x12'), 400],
  ['a chain in quotes', REQUESTS, only('chainId = "1"'), 400],
  ['a key that is none', REQUESTS, only('receiverAddress = 0x12'), 400],
  ['half a filter', REQUESTS, only('status ='), 400],
  ['a page size of 0', REQUESTS, { pageSize: 0 }, 400],
  ['a page size of 101', REQUESTS, { pageSize: 101 }, 400],
  ['a page token that is none', REQUESTS, { pageSize: 2, pageToken: 'abc' }, 400],
  ['volumes', VOLUMES, volumes, 200],
  ['volumes by the hour', VOLUMES, { ...volumes, interval: 3_600, chainId: 1 }, 200],
  ['volumes of no time', VOLUMES, { ...volumes, endTime: START }, 200],
  [
    'volumes since ever, for ever',
    VOLUMES,
    { ...volumes, startTime: 0, endTime: LAST_UNIX_TIME },
    200,
  ],
  ['volumes of no vault', VOLUMES, { ...volumes, vaultAddress: addressOf('none') }, 404],
  ['volumes where it is not', VOLUMES, { ...volumes, chainId: 10 }, 404],
  ['an end before the start', VOLUMES, { ...volumes, endTime: START - 1 }, 400],
  ['half an hour', VOLUMES, { ...volumes, interval: 1_800 }, 400],
  ['an interval of 0', VOLUMES, { ...volumes, interval: 0 }, 400],
  ['more than a year', VOLUMES, { ...volumes, interval: 31_536_000 + 3_600 }, 400],
  ['an end, an interval', VOLUMES, { ...volumes, interval: 1, endTime: 5 }, 400],
]

test.each(CASES)('behavior: %s', async (_, path, parameters, status) => {
  const texts = Object.entries(parameters).map(([name, value]) => [name, String(value)])
  const answer = await getJson(
    `${api.url}${path}?${new URLSearchParams(Object.fromEntries(texts))}`,
  )
  expect([answer.status, answer.body]).toEqual([status, answer.body])
})

const BY_ID = '{ id status orderIndex queuePosition }'

test.each([
  ['as answers have it', (id: string) => id],
  ['in lower case', (id: string) => id.toLowerCase()],
  ['with leading zeros', (id: string) => id.replace(/(\d+)$/, '00$1')],
])('default: a request by its id, %s', async (_, spell) => {
  const listed = await ask(`${api.url}/v2/earn/withdrawalRequests?pageSize=5`)
  const { withdrawalRequests } = (await listed.json()) as { withdrawalRequests: { id: string }[] }
  for (const { id } of withdrawalRequests) {
    const { data } = await byId(spell(id))
    expect(data?.withdrawalRequest).toMatchObject({ id })
  }
})

test.each([
  ['no order of its queue', `1:${QUEUES[0]?.queue}:99`, 'WITHDRAWAL_REQUEST_NOT_FOUND'],
  ['no queue', `1:${addressOf('none')}:1`, 'WITHDRAWAL_REQUEST_NOT_FOUND'],
  ['of no chain', `999:${QUEUES[0]?.queue}:1`, 'WITHDRAWAL_REQUEST_NOT_FOUND'],
  [
    'an order of which only something was heard',
    `1:${addressOf('heard')}:1`,
    'WITHDRAWAL_REQUEST_NOT_FOUND',
  ],
  ['an index alone', '1', 'INVALID_FIELD'],
  ['no index', `1:${QUEUES[0]?.queue}:`, 'INVALID_FIELD'],
  ['an index too large', `1:${QUEUES[0]?.queue}:${2n ** 256n}`, 'INVALID_FIELD'],
  ['a chain too large', `${2 ** 31}:${QUEUES[0]?.queue}:1`, 'INVALID_FIELD'],
])('error: %s', async (_, id, reason) => {
  const { data, errors } = await byId(id)
  expect([data?.withdrawalRequest ?? null, errors?.[0]?.extensions.details.at(-1)?.reason]).toEqual(
    [null, reason],
  )
  if (reason !== 'INVALID_FIELD') expect(JSON.stringify(errors)).not.toMatch(LOWER_CASE_ADDRESS)
})

async function byId(id: string) {
  const query = `query ($id: WithdrawalRequestId!) { withdrawalRequest(id: $id) ${BY_ID} }`
  const response = await ask(`${api.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables: { id } }),
  })
  return (await response.json()) as {
    data?: { withdrawalRequest: { id: string } | null } | null
    errors?: { extensions: { details: { reason: string }[] } }[]
  }
}
