import { maxUint256 } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DEVNET_USERS } from '../../devnet/accounts.ts'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import { worldClient } from '../../devnet/world.ts'
import {
  type DepositAuthorizationBody,
  earnClient,
  earnRevertOf,
  type PreparedBody,
} from '../support/earn.ts'
import { type EarnWorld, startEarnWorld } from '../support/earnWorld.ts'
import { getJson } from '../support/getJson.ts'
import {
  type AuthorizationBody,
  authorizationPath,
  type QuoteBody,
  quotePath,
  signPermitData,
} from '../support/quotes.ts'
import { type ErrorBody, expectRefusal } from '../support/refusal.ts'

/** The error conditions that only the chain checks, and shares of other decimals. */

const PERMIT_TTL_SECONDS = 30
const TOO_LOW = ['PermitFailedAndAllowanceTooLow']
const AMOUNT = '2000000000'

let earn: EarnWorld
beforeAll(async () => {
  earn = await startEarnWorld([1, 4663], { settings: { permitTtlSeconds: PERMIT_TTL_SECONDS } })
})
afterAll(() => earn?.stop())

function vault(name: string) {
  return earnClient({ url: earn.api.url, world: earn.world }, { name, chainId: 1 })
}

function user(index: number) {
  const found = DEVNET_USERS[index]
  if (!found) throw new Error('a user')
  return found
}

/** Mines a block one second after a permit's deadline, whatever the clocks of node and server say. */
async function passDeadline(deadline: string) {
  const client = worldClient(earn.world, 1)
  await client.setNextBlockTimestamp({ timestamp: BigInt(deadline) + 1n })
  await client.mine({ blocks: 1 })
}

test('an expired permit is prepared into a deposit, which reverts', async () => {
  const [client, account] = [vault('Harbor Dollar'), user(2)]
  const token = client.tokenOf('USDC')
  const { body: offered } = await client.ask<DepositAuthorizationBody>('/v2/core/authorization', {
    tokenAddress: token,
    amount: AMOUNT,
    userAddress: account.address,
  })
  const { permitData } = offered
  if (!permitData) throw new Error('a permit was expected')
  const prepare = async () => {
    // Cast, because the answer's JSON has the domain and message of any permit.
    const permitSignature = await signPermitData(account, permitData as never)
    return client.ask<PreparedBody>('/v2/earn/deposit', {
      depositAsset: token,
      depositAmount: AMOUNT,
      userAddress: account.address,
      permitSignature,
      permitDeadline: permitData.deadline,
    })
  }
  const inTime = await prepare()
  expect(await earnRevertOf(client, account, inTime.body.transaction)).toBeNull()
  await passDeadline(permitData.deadline)
  const { status, body } = await prepare()
  expect(status).toBe(200)
  expect(await earnRevertOf(client, account, body.transaction)).toEqual(TOO_LOW)
  expect((await client.send(account, body.transaction)).status).toBe('reverted')
})

test('an expired permit is prepared into an order, which reverts', async () => {
  const [client, account] = [vault('Harbor Dollar'), user(3)]
  const ends = { from: 1, to: 4663, offer: 'USDC', want: 'USDG' } as const
  const { body: offered } = await getJson<AuthorizationBody>(
    `${earn.api.url}${authorizationPath(ends, { amount: BigInt(AMOUNT), userAddress: account.address })}`,
  )
  const permit = offered.methods.find(({ type }) => type === 'eip2612_permit')?.permitData
  if (!permit) throw new Error('a permit was expected')
  await passDeadline(permit.deadline)
  const { status, body } = await getJson<QuoteBody>(
    `${earn.api.url}${quotePath(ends, {
      offerAmount: AMOUNT,
      userAddress: account.address,
      permitSignature: await signPermitData(account, permit),
      permitDeadline: permit.deadline,
    })}`,
  )
  expect([status, body.transaction.to]).toEqual([200, DEPLOYMENT.station])
  expect((await client.send(account, body.transaction)).status).toBe('reverted')
})

test('a deposit before its approval is mined reverts, and passes after it', async () => {
  const [client, account] = [vault('Harbor Dollar'), user(4)]
  const token = client.tokenOf('USDC')
  const { status, body } = await client.ask<PreparedBody>('/v2/earn/deposit', {
    depositAsset: token,
    depositAmount: AMOUNT,
    userAddress: account.address,
  })
  expect(status).toBe(200)
  expect((await client.send(account, body.transaction)).status).toBe('reverted')
  await client.approve(account, token, [client.deployment.current.depositor, maxUint256])
  expect((await client.send(account, body.transaction)).status).toBe('success')
})

test("shares in a token's decimals are below the minimum of a vault of 18", async () => {
  const client = vault('Harbor Prime')
  const answer = await client.ask<ErrorBody>('/v2/earn/withdraw', {
    wantAsset: client.tokenOf('USDC'),
    shareAmount: AMOUNT,
    userAddress: user(5).address,
  })
  expectRefusal(answer, { reason: 'BELOW_MIN_ORDER_SIZE', fields: ['shareAmount'] })
})
