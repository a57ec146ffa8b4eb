import {
  type Connection,
  createApiKey,
  createConnection,
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  inviteMember,
  listApiKeys,
  listInvitations,
  listVaults,
  listWebhookDeliveries,
  listWebhookEndpoints,
  pingWebhookEndpoint,
  revokeApiKey,
  revokeInvitation,
  rotateApiKey,
} from '../../sdk/src/index.ts'
import type { LocalWorld } from '../../sdk/src/testing/connectLocalWorld.ts'
import { accept, answer, type Receiver } from '../support/webhookReceiver.ts'

const DAY_MS = 86_400_000
const DATA_MS = 60_000
const POLL_MS = 500
/** In base units of a token with six decimals. */
const PAID = 75_000_000n
const PURPOSE = 'Ledger of the treasury'
const INVITED = 'grace@acme.example'

/** The data that the pictures need beside the traffic of the local world. */
export type ScreenshotData = {
  endpointId: string
  /** The type of an event whose delivery failed. */
  failedType: string
  depositId: string
  /** The page of an open invitation. */
  invitationUrl: string
}

type Given = {
  /** A signed-in owner. */
  connection: Connection
  world: LocalWorld
  receiver: Receiver
}

/** Makes the data as a person would: by the public API, and by payments on the local chains. */
export async function makeScreenshotData(given: Given): Promise<ScreenshotData> {
  const { connection } = given
  const [depositId, delivery, invitationUrl] = await Promise.all([
    paidDeposit(given),
    failedDelivery(given),
    openInvitation(connection),
    makeKeys(connection),
  ])
  return { depositId, invitationUrl, ...delivery }
}

async function paidDeposit({ world }: Given): Promise<string> {
  const { smartDeposits } = world.causeway
  const [vault] = await world.causeway.earn
    .vaults({ filter: { name: 'Harbor Dollar', chainId: 1 } })
    .take(1)
  const [deployment] = vault?.deployments ?? []
  const [asset] = deployment?.assets ?? []
  const user = world.accounts[6]
  if (!deployment || !asset || !user) throw new Error('the local world has no vault on chain 1')
  const smartDepositAddress = await smartDeposits.register({
    chainId: deployment.chainId,
    vaultAddress: deployment.boringVaultAddress,
    inputToken: asset.assetAddress,
    userDestinationAddress: user.address,
    customerId: 'customer-42',
  })
  await world.fund({
    account: smartDepositAddress,
    chainId: deployment.chainId,
    token: asset.assetAddress,
    amount: PAID,
    coins: 0n,
  })
  return untilFound('a smart deposit', async () => {
    const filter = { smartDepositAddress, status: 'CONFIRMED' } as const
    const [deposit] = await smartDeposits.deposits({ filter }).take(1)
    return deposit?.depositId
  })
}

/** Every third delivery is answered with an error, the ping too. */
async function failedDelivery({ connection, receiver }: Given) {
  let count = 0
  const refuse = answer(500)
  receiver.behave((response, received) => {
    count += 1
    return received.event.type === 'ping' || count % 3 === 0
      ? refuse(response, received)
      : accept(response, received)
  })
  // The receiver of a former run has ended.
  for (const { id, description } of await listWebhookEndpoints(connection).take(100))
    if (description === PURPOSE) await deleteWebhookEndpoint(connection, { endpointId: id })
  const { endpoint } = await createWebhookEndpoint(connection, {
    url: receiver.url,
    description: PURPOSE,
    eventTypes: ['transit.*', 'smart_deposit.*'],
    filter: '',
  })
  const endpointId = endpoint.id
  await pingWebhookEndpoint(connection, { endpointId })
  const failedType = await untilFound('a failed delivery', async () => {
    const deliveries = await listWebhookDeliveries(connection, { endpointId }).take(20)
    const failed = deliveries.find(({ attempts, lastStatus }) => attempts > 0 && lastStatus === 500)
    return deliveries.length > 2 ? failed?.eventType : undefined
  })
  return { endpointId, failedType }
}

async function openInvitation(connection: Connection): Promise<string> {
  for (const { id, email, status } of await listInvitations(connection).take(100))
    if (email === INVITED && status === 'OPEN')
      await revokeInvitation(connection, { invitationId: id })
  const { link } = await inviteMember(connection, { email: INVITED, role: 'DEVELOPER' })
  return link
}

/** Keys in each state, one of which was used well and badly. A second run finds them. */
async function makeKeys(connection: Connection) {
  const known = await listApiKeys(connection).take(100)
  if (known.some(({ status }) => status === 'REVOKED')) return
  const make = (name: string, permissions: Parameters<typeof createApiKey>[1]['permissions']) =>
    createApiKey(connection, {
      name,
      permissions,
      expiresAt: new Date(Date.now() + 90 * DAY_MS),
    })
  const [used, trial, leaked] = await Promise.all([
    make('Wallet backend', ['earn:read', 'earn:prepare', 'smart-deposits', 'webhooks']),
    make('Trial', ['earn:read']),
    make('Laptop of the last release', ['earn:read', 'keys']),
  ])
  await rotateApiKey(connection, { publicId: trial.apiKey.publicId, overlapSeconds: 0 })
  await revokeApiKey(connection, { publicId: leaked.apiKey.publicId })
  const caller = createConnection({ url: connection.url, apiKey: used.secret })
  await listVaults(caller).take(5)
  // The key lacks the permission, and the order does not exist: both are in the log.
  await Promise.allSettled([
    listApiKeys(caller).take(1),
    fetch(`${connection.url}/v1/transit/orders/0x12`, { headers: { 'x-api-key': used.secret } }),
  ])
}

async function untilFound<Found>(name: string, find: () => Promise<Found | undefined>) {
  const deadline = Date.now() + DATA_MS
  while (Date.now() < deadline) {
    const found = await find()
    if (found !== undefined) return found
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
  throw new Error(`${name} did not come in ${DATA_MS / 1_000} s`)
}
