import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Address, encodeFunctionData, erc20Abi, parseUnits } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DEVNET_ACTORS, DEVNET_KEEPER_KEY, userAt } from '../../devnet/accounts.ts'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import { vaultDeployment } from '../../devnet/vaults/deployment.ts'
import { sendCall } from '../../devnet/vaults/sendCall.ts'
import { worldClient } from '../../devnet/world.ts'
import { createCausewayClient } from '../../sdk/src/createCausewayClient.ts'
import { startTestWorld, type TestWorld } from '../support/anvils.ts'
import { type ApiProcess, startApiProcess, untilReady } from '../support/apiProcess.ts'
import { ask, giveKeyOf, keyOf } from '../support/ask.ts'
import { undescribedEvent } from '../support/describedAnswer.ts'
import { getJson } from '../support/getJson.ts'
import { startTestIndexer } from '../support/indexer.ts'
import { GCP_KEY, type KmsServer, startKmsServer } from '../support/kmsServer.ts'
import { pasteShell, shellBlocks } from '../support/pasteShell.ts'
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts'
import { isVerified, type Receiver, startReceiver } from '../support/webhookReceiver.ts'
import { startWorkerProcess, type WorkerProcess } from '../support/workerProcess.ts'
import { testInjectedWallet } from './injectedWalletPage.ts'
import { testSmartDepositPages } from './smartDepositPages.ts'

/** The view of an integrator's app: only HTTP and its own webhook receiver. Every process is real. */

const USER = userAt(2)
const AMOUNT = parseUnits('1234.567891', 6)
const FINALITY_BLOCKS = 70
const { USDC } = DEPLOYMENT.tokens
const { vault } = vaultDeployment('Harbor Dollar', 1)

let started: TestWorld
let database: TestDatabase
let api: ApiProcess
let worker: WorkerProcess
let indexer: Awaited<ReturnType<typeof startTestIndexer>>
let receiver: Receiver
/** Holds the keeper's key. */
let kms: KmsServer
let folder: string

beforeAll(async () => {
  started = await startTestWorld([1], { withVaults: true })
  database = await createTestDatabase()
  receiver = await startReceiver()
  folder = await mkdtemp(join(tmpdir(), 'causeway-life-'))
  const addressBook = join(folder, 'address-book.json')
  await writeFile(addressBook, JSON.stringify(started.addressBook))
  const processes = {
    databaseUrl: database.url,
    addressBook,
    rpcUrls: started.world.rpcUrls,
    appSecret: randomBytes(32).toString('hex'),
    variables: { SECRETS_KEY: randomBytes(32).toString('hex'), WEBHOOK_ALLOW_PRIVATE: 'true' },
  }
  api = await startApiProcess(processes)
  await untilReady(api)
  await giveKeyOf(api.url, database.url, processes.appSecret)
  kms = await startKmsServer(DEVNET_KEEPER_KEY)
  worker = startWorkerProcess({
    ...processes,
    variables: {
      ...processes.variables,
      ...kms.variables,
      SMART_DEPOSIT_KEEPER_PRIVATE_KEY: '',
      SMART_DEPOSIT_KEEPER: `gcp-kms:${GCP_KEY}`,
      SMART_DEPOSIT_KEEPER_ADDRESS: DEVNET_ACTORS.keeper.address,
    },
  })
  const { databaseUrl, rpcUrls } = processes
  const indexed = { databaseUrl, rpcUrls, addressBook: started.addressBook, chainIds: [1] }
  indexer = await startTestIndexer(indexed)
})

afterAll(async () => {
  await indexer?.stop()
  await worker?.stop()
  await kms?.stop()
  await api?.stop()
  await receiver?.stop()
  await started?.stop()
  await database?.drop()
  if (folder) await rm(folder, { recursive: true })
})

test('default: an address, a payment to it, and the webhooks until it is finalized', async () => {
  const { secret } = await post<{ secret: string }>('/v2/webhooks/endpoints', {
    url: receiver.url,
    eventTypes: ['smart_deposit.*'],
  })
  const { smartDepositAddress } = await post<{ smartDepositAddress: Address }>(
    '/v2/earn/smartDepositAddresses',
    {
      userDestinationAddress: USER.address,
      vaultAddress: vault,
      inputToken: USDC,
      chainId: 1,
      customerId: 'customer-7',
    },
  )
  const before = await shares()
  const receipt = await sendCall(started.world, 1, {
    account: USER,
    address: USDC,
    data: encodeFunctionData({
      abi: erc20Abi,
      functionName: 'transfer',
      args: [smartDepositAddress, AMOUNT],
    }),
  })
  await receiver.until(2)
  const minted = (await shares()) - before
  expect(minted).toBeGreaterThan(0n)
  await worldClient(started.world, 1).mine({ blocks: FINALITY_BLOCKS })
  const received = await receiver.until(3)

  expect(received.every((one) => isVerified(one, secret))).toBe(true)
  expect(received.map(({ event }) => [event.type, event.sequence])).toEqual([
    ['smart_deposit.deposit.pending', 1],
    ['smart_deposit.deposit.confirmed', 2],
    ['smart_deposit.deposit.finalized', 3],
  ])
  for (const { event } of received) expect(undescribedEvent(event)).toEqual([])
  for (const { event } of received)
    expect(event).toMatchObject({
      deposit_id: received[0]?.event.deposit_id,
      customer_id: 'customer-7',
      chain_id: '1',
      smart_deposit_address: smartDepositAddress,
      user_destination_address: USER.address,
      received_amount: String(AMOUNT),
      receipt_tx_hash: receipt.transactionHash,
    })
  expect(received[2]?.event.minted_amount).toBe(String(minted))
  expect(await balanceOf(USDC, smartDepositAddress)).toBe(0n)

  const filter = `depositId = ${received[0]?.event.deposit_id}`
  const { body } = await getJson(
    `${api.url}/v2/earn/smartDeposits?${new URLSearchParams({ filter })}`,
  )
  expect(body).toMatchObject({
    smartDeposits: [
      {
        status: 'FINALIZED',
        smartDepositAddress,
        mintedAmount: String(minted),
        timeline: received.map(({ event }) => ({ id: event.id, type: event.type })),
      },
    ],
  })
  const activity = new URLSearchParams({
    filter: `userAddress = ${USER.address} AND type = SMART_DEPOSIT`,
  })
  await expect
    .poll(async () => (await getJson(`${api.url}/v2/earn/activity?${activity}`)).body, {
      interval: 200,
    })
    .toMatchObject({
      activity: [
        {
          userAddress: USER.address,
          counterparty: smartDepositAddress,
          assetAddress: USDC,
          assetAmount: String(AMOUNT),
          shareAmount: String(minted),
          depositId: received[0]?.event.deposit_id,
        },
      ],
    })
  const replay = await getJson(`${api.url}/v2/events`)
  expect(replay.body).toMatchObject({
    events: received.map(({ event }) => ({ event: { id: event.id } })),
  })
})

test('behavior: the day of docs/guides/treasury-with-smart-deposits.md', async () => {
  const blocks = await shellBlocks('guides/treasury-with-smart-deposits.md')
  const output = await pasteShell({ url: api.url, world: started.world }, blocks.join('\n'))
  expect(output).toMatch(/"status":"(CONFIRMED|FINALIZED)".+"mintedAmount":"\d+"/s)
  expect(output).toMatch(/depositId,.+receivedAmount\.formatted.+25\.000000/s)
})

test('behavior: the SDK registers an address, and waits for its deposit', async () => {
  const { smartDeposits } = createCausewayClient({
    url: api.url,
    apiKey: keyOf(api.url) ?? '',
    shield: 'trust-server',
  })
  const address = await smartDeposits.register({
    userDestinationAddress: userAt(4).address,
    vaultAddress: vault,
    inputToken: USDC,
    chainId: 1,
  })
  const before = await balanceOf(vault, userAt(4).address)
  const args = [address, AMOUNT] as const
  await sendCall(started.world, 1, {
    account: USER,
    address: USDC,
    data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args }),
  })
  const seen = () => smartDeposits.deposits({ filter: { smartDepositAddress: address } }).take(1)
  await expect.poll(seen).toHaveLength(1)
  const depositId = (await seen())[0]?.depositId ?? '0x'
  const confirmed = await smartDeposits.wait(depositId)
  const minted = (await balanceOf(vault, userAt(4).address)) - before
  expect(confirmed).toMatchObject({ receivedAmount: AMOUNT, mintedAmount: minted })
  const ends = Promise.allSettled([
    smartDeposits.wait(depositId, { until: 'FINALIZED' }),
    smartDeposits.wait(depositId, { until: 'FAILED' }),
  ])
  await worldClient(started.world, 1).mine({ blocks: FINALITY_BLOCKS })
  expect(await ends).toMatchObject([
    { value: { depositId, status: 'FINALIZED' } },
    { reason: { reason: 'ENDED_OTHERWISE' } },
  ])
})

testSmartDepositPages(() => ({ url: api.url, world: started.world }))
testInjectedWallet(() => ({ url: api.url, world: started.world }))

async function post<Body>(path: string, body: object): Promise<Body> {
  const response = await ask(`${api.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  expect([path, response.status]).toEqual([path, 200])
  // Later reads of the test would fail otherwise.
  return (await response.json()) as Body
}

const shares = () => balanceOf(vault, USER.address)

function balanceOf(token: Address, account: Address): Promise<bigint> {
  return worldClient(started.world, 1).readContract({
    address: token,
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [account],
  })
}
