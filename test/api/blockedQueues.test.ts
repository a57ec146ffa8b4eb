import { type Address, zeroAddress } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import { vaultDeployment } from '../../devnet/vaults/deployment.ts'
import { worldClient } from '../../devnet/world.ts'
import { recordBlockedQueues } from '../../worker/feed/watchQueues.ts'
import { undescribed, undescribedEvent } from '../support/describedAnswer.ts'
import { type EarnWorld, startEarnWorld } from '../support/earnWorld.ts'
import { getJson } from '../support/getJson.ts'
import { lower } from '../support/lower.ts'
import { startTestMetrics } from '../support/testMetrics.ts'
import { sendTokens, setRateSource } from '../support/vaultTokens.ts'
import {
  insertWithdrawOrders,
  outcomeOf,
  updateWithdrawOrder,
  withdrawOrder,
} from '../support/withdrawOrders.ts'
import { LEAST_PRIME_SHARES } from './withdrawCases.ts'

/** A queue that a request holds up: requests of a test's index, rates and fees of a real node. */

const { USDC, USDG, USDT } = DEPLOYMENT.tokens
const prime = vaultDeployment('Harbor Prime', 1)
const classic = vaultDeployment('Harbor Dollar', 1)
const rateless = vaultDeployment('Harbor Classic', 1)
const FEE_TAKES_ALL = 5n * 10n ** 16n

let earn: EarnWorld
beforeAll(async () => {
  earn = await startEarnWorld([1, 4663])
  const large = 10n ** 19n
  const client = worldClient(earn.world, 1)
  await setRateSource(client, rateless, [USDT, false, zeroAddress])
  for (const asset of [USDC, USDG]) await sendTokens(client, prime, [asset, 10n ** 12n])
  await insertWithdrawOrders(earn.api.context.sql, [
    // Each of these passes: marked, refunded for its fee, paid one unit, and without a flat fee.
    request(1, LEAST_PRIME_SHARES - 1n, outcomeOf('PENDING_REFUND')),
    request(2, FEE_TAKES_ALL),
    request(3, LEAST_PRIME_SHARES),
    request(4, LEAST_PRIME_SHARES - 1n, { want_asset: lower(USDG) }),
    unpaid,
    request(6, large),
    request(7, large, outcomeOf('PENDING_REFUND')),
    request(8, large, outcomeOf('COMPLETE')),
    ...[1, 2].map((order_index) =>
      withdrawOrder({
        queue: lower(rateless.current.queue),
        vault: lower(rateless.vault),
        want_asset: lower(order_index === 1 ? USDT : USDC),
        order_index,
      }),
    ),
    withdrawOrder({
      queue: lower(classic.current.queue),
      vault: lower(classic.vault),
      want_asset: lower(USDC),
    }),
  ])
})
afterAll(() => earn?.stop())

function request(order_index: number, shares: bigint, changes = {}) {
  return withdrawOrder({
    queue: lower(prime.current.queue),
    vault: lower(prime.vault),
    want_asset: lower(USDC),
    order_index,
    offer_amount: String(shares),
    ...changes,
  })
}
const unpaid = request(5, LEAST_PRIME_SHARES - 1n)

let asked = 0

type Block = { reason: string; requestId: string }
type Shortfall = { assetAddress: string; shortfall: string; blockedBy: Block | null }

async function shortfalls() {
  // An answer is kept for some seconds, and each of these is asked for the first time.
  asked += 1
  const url = `${earn.api.url}/v2/earn/liquidityShortfalls?filter=vaultAddress=${prime.vault}&pageSize=${asked}`
  const { status, body } = await getJson<{ liquidityShortfalls: Shortfall[] }>(url)
  expect(undescribed(url, status, body)).toEqual([])
  return body.liquidityShortfalls.map(({ assetAddress, shortfall, blockedBy }) => ({
    assetAddress,
    shortfall,
    blockedBy,
  }))
}

/** An organization whose endpoint has this filter. */
async function subscribe(name: string, filter: string) {
  await earn.api.context.sql`
    with watcher as (insert into app.organization (name) values (${name}) returning id)
    insert into app.webhook_endpoint (organization_id, url, event_types, filter)
    select id, 'https://example.com', '{withdrawal.*}', ${filter} from watcher`
}

type Request = { id: string; orderIndex: string; blockedBy: Block | null }

async function listed(vault: Address) {
  const url = `${earn.api.url}/v2/earn/withdrawalRequests?filter=vaultAddress=${vault}`
  const answer = await getJson<{ withdrawalRequests: Request[] }>(url)
  expect(undescribed(answer.url, answer.status, answer.body)).toEqual([])
  return answer.body.withdrawalRequests
}

async function blockedSeries(): Promise<string[]> {
  const metrics = await startTestMetrics(earn.api.context)
  try {
    const text = await (await fetch(metrics.url)).text()
    return text.split('\n').filter((line) => line.startsWith('causeway_withdraw_queue_blocked{'))
  } finally {
    await metrics.stop()
  }
}

function seriesOf({ vault }: { vault: Address }): string {
  return `causeway_withdraw_queue_blocked{chain="1",vault="${lower(vault)}"} 1`
}

test('default: the request, and everything that waits behind it, until it is marked', async () => {
  const blockedBy = { reason: 'PAYS_NOTHING', requestId: `1:${prime.current.queue}:5` }
  const requests = await listed(prime.vault)
  const blocked = requests.filter((one) => one.blockedBy)
  expect(blocked.map(({ orderIndex }) => Number(orderIndex)).toSorted()).toEqual([5, 6, 7])
  for (const one of blocked) expect(one.blockedBy).toEqual(blockedBy)
  const one = await getJson<{ withdrawalRequest: Request }>(
    `${earn.api.url}/v2/earn/withdrawalRequests/1:${prime.current.queue}:6`,
  )
  expect(one.body.withdrawalRequest.blockedBy).toEqual(blockedBy)
  // Another vault's queue is not held up by it.
  const [other] = await listed(classic.vault)
  expect(other?.blockedBy?.requestId).toBe(other?.id)
  expect(await shortfalls()).toEqual([{ assetAddress: USDC, shortfall: '0', blockedBy }])
  expect(await blockedSeries()).toEqual([seriesOf(rateless), seriesOf(prime)])

  await updateWithdrawOrder(earn.api.context.sql, unpaid, outcomeOf('PENDING_REFUND'))
  expect((await listed(prime.vault)).filter((other) => other.blockedBy)).toEqual([])
  expect(await blockedSeries()).toEqual([seriesOf(rateless)])
  expect(await shortfalls()).toEqual([])
})

test('behavior: a request for an asset that has lost its rate holds up what waits behind it', async () => {
  const blockedBy = { reason: 'NO_RATE', requestId: `1:${rateless.current.queue}:1` }
  const requests = await listed(rateless.vault)
  expect(requests.map((one) => one.blockedBy)).toEqual([blockedBy, blockedBy])
})

test('behavior: an event for whoever watches the vault, once', async () => {
  const { sql } = earn.api.context
  const look = () => recordBlockedQueues(earn.api.context)
  await updateWithdrawOrder(sql, unpaid, outcomeOf('PENDING_REFUND'))
  await subscribe('Watcher', `vaultAddress = ${prime.vault}`)
  await subscribe('Other', `vaultAddress = ${classic.vault}`)
  expect(await look()).toBe(0)
  await updateWithdrawOrder(sql, unpaid, { is_marked_for_refund: false })
  expect([await look(), await look()]).toEqual([1, 0])
  const [event] = await sql<{ body: { type: string } }[]>`select body from app.event`
  expect(event?.body).toMatchObject({
    type: 'withdrawal.queue.blocked',
    request_id: `1:${prime.current.queue}:5`,
    vault_address: prime.vault,
    reason: 'PAYS_NOTHING',
    transaction_hash: unpaid.transaction_hash,
  })
  expect(undescribedEvent(event?.body ?? {})).toEqual([])
})
