import { afterAll, beforeAll, expect, test } from 'vitest'
import { userAt } from '../../devnet/accounts.ts'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import { vaultDeployment } from '../../devnet/vaults/deployment.ts'
import { worldClient } from '../../devnet/world.ts'
import { deployer } from '../devnet/stationWorld.ts'
import { undescribed } from '../support/describedAnswer.ts'
import { asOwner, callAs } from '../support/earn.ts'
import { type EarnWorld, startEarnWorld } from '../support/earnWorld.ts'
import { getJson } from '../support/getJson.ts'
import { handClock } from '../support/handClock.ts'
import { lower } from '../support/lower.ts'
import { revertChains } from '../support/revertChains.ts'
import { sendTokens } from '../support/vaultTokens.ts'
import { insertWithdrawOrders, outcomeOf, withdrawOrder } from '../support/withdrawOrders.ts'

/** What keeps single requests from being paid: requests of a test's index, the rest of a real node. */

const { USDC } = DEPLOYMENT.tokens
const dollar = vaultDeployment('Harbor Dollar', 1)
const RECEIVER = userAt(1).address
const clock = handClock()
const place = `1:${dollar.current.queue}`

let earn: EarnWorld
beforeAll(async () => {
  earn = await startEarnWorld([1], { clock })
  await sendTokens(worldClient(earn.world, 1), dollar, [USDC, 5_000_000n])
  await insertWithdrawOrders(earn.api.context.sql, [
    request(1, 1_000_000n),
    request(2, 1_000_000n, outcomeOf('PENDING_REFUND')),
    // More than the vault has.
    request(3, 50_000_000n),
    request(4, 1_000_000n, outcomeOf('PENDING_REFUND')),
    request(5, 1_000_000n),
    request(6, 50_000_000n, outcomeOf('COMPLETE')),
  ])
})
afterAll(() => earn?.stop())
revertChains(() => [worldClient(earn.world, 1)])

function request(order_index: number, shares: bigint, changes = {}) {
  return withdrawOrder({
    queue: lower(dollar.current.queue),
    vault: lower(dollar.vault),
    want_asset: lower(USDC),
    receiver: lower(RECEIVER),
    order_index,
    offer_amount: String(shares),
    ...changes,
  })
}

type Listed = { orderIndex: string; blockedBy: object | null }

/** By number, after everything that was kept of the chain. */
async function blocks() {
  clock.advance(60_000)
  const url = `${earn.api.url}/v2/earn/withdrawalRequests?filter=vaultAddress=${dollar.vault}`
  const { status, body } = await getJson<{ withdrawalRequests: Listed[] }>(url)
  expect(undescribed(url, status, body)).toEqual([])
  const rows = body.withdrawalRequests.map(({ orderIndex, blockedBy }) => [orderIndex, blockedBy])
  return Object.fromEntries(rows)
}

const client = () => ({ client: worldClient(earn.world, 1) })
const LACKING = { reason: 'VAULT_LACKS_ASSETS', requestId: `${place}:3` }
const PAUSED = { reason: 'VAULT_PAUSED' }
const FROZEN = { reason: 'ACCOUNT_FROZEN', account: RECEIVER }

test('default: the vault has less than one request is worth, which everything behind waits for', async () => {
  expect(await blocks()).toEqual({ 1: null, 2: null, 3: LACKING, 4: LACKING, 5: LACKING, 6: null })
  await sendTokens(worldClient(earn.world, 1), dollar, [USDC, 500_000_000n])
  expect(await blocks()).toEqual({ 1: null, 2: null, 3: null, 4: null, 5: null, 6: null })
})

test.each([
  ['teller', dollar.current.teller],
  ['accountant', dollar.current.accountant],
])('behavior: a paused %s holds up all that are to be paid', async (_, address) => {
  await asOwner(client(), address, ['function pause()'])
  expect(await blocks()).toEqual({ 1: PAUSED, 2: null, 3: PAUSED, 4: LACKING, 5: PAUSED, 6: null })
})

test('behavior: a receiver whom the issuer blocks', async () => {
  await callAs(client(), deployer, {
    address: USDC,
    call: ['function blacklist(address)', RECEIVER],
  })
  expect(await blocks()).toEqual({
    1: FROZEN,
    2: null,
    3: LACKING,
    4: LACKING,
    5: LACKING,
    6: null,
  })
})
