import { type Address, getAddress, type Hex, maxUint256, toHex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withdrawQueueAbi } from '../../abis/withdrawQueue.ts'
import { userAt } from '../../devnet/accounts.ts'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import { vaultDeployment } from '../../devnet/vaults/deployment.ts'
import { selectorOf } from '../../devnet/vaults/roles.ts'
import { worldClient } from '../../devnet/world.ts'
import { type AddressBookFile, parseAddressBook } from '../../domain/addressBook/addressBook.ts'
import { prepareRequest } from '../../domain/earn/withdrawals/prepareWithdrawal.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { asOwner, earnClient, type PreparedBody } from '../support/earn.ts'
import type { EarnWorld } from '../support/earnWorld.ts'
import { type ErrorBody, expectRefusal } from '../support/refusal.ts'
import { revertChains } from '../support/revertChains.ts'
import { startWithdrawWorld } from './withdrawCases.ts'

/** Cancelling in a vault that has replaced its queue. */

const USER = userAt(0)
const { USDC } = DEPLOYMENT.tokens
const dollar = vaultDeployment('Harbor Dollar', 1)
const OLD = dollar.current.queue
const NEW = getAddress(`0x${'9e'.repeat(20)}`)

let earn: EarnWorld
let api: TestApi
const vault = () =>
  earnClient({ world: earn.world, url: api.url }, { name: 'Harbor Dollar', chainId: 1 })

beforeAll(async () => {
  earn = await startWithdrawWorld()
  await copyQueue()
  const file: AddressBookFile = JSON.parse(JSON.stringify(earn.world.addressBook))
  for (const { deployments } of file.vaults ?? [])
    for (const entry of deployments)
      if (entry.queues[0]?.address === OLD.toLowerCase())
        entry.queues = [
          { ...entry.queues[0], toBlock: 1_000_000 },
          { address: NEW.toLowerCase() as Address, generation: 'C', fromBlock: 1_000_001 },
        ]
  const addressBook = parseAddressBook(file, 'a vault with two queues')
  api = await startTestApi({ world: earn.world, addressBook })
})
afterAll(async () => {
  await api?.stop()
  await earn?.stop()
})
revertChains(() => [worldClient(earn.world, 1)])

test('behavior: an index that waits in an old queue alone is cancelled there', async () => {
  await submit(OLD)
  const { status, body } = await cancel({ orderIndex: '1' })
  expect([status, body.transaction.to]).toEqual([200, OLD])
  await vault().send(USER, body.transaction)
  expect(await statusIn(OLD)).toBe(4)
})

test('behavior: an index that is done in the queue in use is cancelled in the old one', async () => {
  await submit(OLD)
  await submit(NEW)
  await vault().send(USER, (await cancel({ requestId: idOf(NEW) })).body.transaction)
  await asOwner(vault(), NEW, ['function processOrders(uint256)', 1n])
  expect(await statusIn(NEW)).toBe(5)
  expect((await cancel({ orderIndex: '1' })).body.transaction.to).toBe(OLD)
})

test('error: an index that waits in both queues; each is cancelled by its id', async () => {
  await submit(OLD)
  await submit(NEW)
  expectRefusal(await cancel({ orderIndex: '1' }), {
    reason: 'ORDER_INDEX_AMBIGUOUS',
    fields: ['orderIndex'],
    metadata: { requestIds: `${idOf(NEW)},${idOf(OLD)}` },
  })
  for (const queue of [OLD, NEW]) {
    const { body } = await cancel({ requestId: idOf(queue).toLowerCase(), simulate: 'true' })
    expect(body.transaction.to).toBe(queue)
    await vault().send(USER, body.transaction)
    expect(await statusIn(queue)).toBe(4)
    expectRefusal(await cancel({ requestId: idOf(queue) }), {
      reason: 'WITHDRAWAL_NOT_PENDING',
      fields: ['requestId'],
      metadata: { status: 'PENDING_REFUND', cancellableBy: USER.address },
    })
  }
})

test('error: a repeated cancellation never means the request of another queue', async () => {
  await submit(OLD)
  await submit(NEW)
  await vault().send(USER, (await cancel({ requestId: idOf(NEW) })).body.transaction)
  expectRefusal(await cancel({ orderIndex: '1' }), { reason: 'ORDER_INDEX_AMBIGUOUS' })
})

test('error: neither, both, another chain, no such request, a queue of another vault', async () => {
  await submit(NEW)
  const both = { orderIndex: '1', requestId: idOf(NEW) }
  expectRefusal(await cancel({}), { reason: 'INVALID_FIELD', fields: ['orderIndex'] })
  expectRefusal(await cancel(both), { reason: 'INVALID_FIELD', fields: ['requestId'] })
  for (const requestId of ['1', `8453:${NEW}:1`])
    expectRefusal(await cancel({ requestId }), { reason: 'INVALID_FIELD', fields: ['requestId'] })
  const prime = vaultDeployment('Harbor Prime', 1).current.queue
  for (const requestId of [`1:${NEW}:2`, `1:${prime}:1`])
    expectRefusal(await cancel({ requestId }), { reason: 'WITHDRAWAL_REQUEST_NOT_FOUND' })
})

function cancel(parameters: Record<string, string>) {
  return vault().ask<PreparedBody & ErrorBody>('/v2/earn/withdraw/cancel', parameters)
}

function idOf(queue: Address): string {
  return `1:${queue}:1`
}

async function submit(queue: Address) {
  const { address } = USER
  const order = {
    amountOffer: 5_000_000n,
    wantAsset: USDC,
    intendedDepositor: address,
    receiver: address,
    refundReceiver: address,
  }
  const { to, data } = prepareRequest(queue, order, 'submitOrder')
  await vault().send(USER, { to, data })
}

function statusIn(queue: Address) {
  return worldClient(earn.world, 1).readContract({
    address: queue,
    abi: withdrawQueueAbi,
    functionName: 'getOrderStatus',
    args: [1n],
  })
}

/** Another queue with the same terms, which takes requests and cancellations of everybody. */
async function copyQueue() {
  const client = worldClient(earn.world, 1)
  await client.setCode({ address: NEW, bytecode: (await client.getCode({ address: OLD })) ?? '0x' })
  for (let slot = 0; slot < 32; slot++) {
    const index: Hex = toHex(slot, { size: 32 })
    const value = await client.getStorageAt({ address: OLD, slot: index })
    await client.setStorageAt({ address: NEW, index, value: value ?? toHex(0, { size: 32 }) })
  }
  const at = { client, deployment: dollar }
  for (const name of ['submitOrder', 'cancelOrder'] as const)
    await asOwner(at, dollar.authority, [
      'function setPublicCapability(address, bytes4, bool)',
      NEW,
      selectorOf(withdrawQueueAbi, name),
      true,
    ])
  const shares = earnClient(
    { world: earn.world, url: earn.api.url },
    {
      name: 'Harbor Dollar',
      chainId: 1,
    },
  )
  await shares.approve(USER, dollar.vault, [NEW, maxUint256])
}
