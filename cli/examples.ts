import { mkdir, readdir, rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Address, encodeFunctionData, erc20Abi, type Hex } from 'viem'
import { DEVNET_ACTORS, DEVNET_USERS } from '../devnet/accounts.ts'
import { payAccount } from '../devnet/controls.ts'
import { DEPLOYMENT } from '../devnet/deployment.ts'
import { type VaultDeployment, vaultDeployment } from '../devnet/vaults/deployment.ts'
import { tellerOperatorAbi } from '../devnet/vaults/operatorAbis.ts'
import { sendCall } from '../devnet/vaults/sendCall.ts'
import { type World, worldClient } from '../devnet/world.ts'
import { loadAddressBook } from '../domain/addressBook/addressBook.ts'
import { rehearsalReportFile } from '../domain/rehearsal/rehearsalReport.ts'
import { findDataDirectory } from '../processes/dataDirectory.ts'
import { type RunFile, readRunFile } from '../processes/start/runFile.ts'
import { writeAccessExamples } from './accessExamples.ts'
import { writeMemberExamples } from './memberExamples.ts'
import { EXAMPLE_REPORT } from './rehearse/exampleReport.ts'
import { writeReport } from './rehearse/writeReport.ts'
import { writeWebhookExamples } from './webhookExamples.ts'
import { writeExample } from './writeExample.ts'

/**
 * `npm run examples`: calls the local world that runs here (`npm start`, newly reset so that the orders
 * are the seeded ones) and writes its answers to docs/examples, one file per route and per error.
 */

type Values = Record<string, string | number | boolean>
/** Named after the operation, with the status for an error. The values of a POST are its body. */
type Example = [name: string, path: string, values?: Values, method?: 'POST']

/** Blocks come every second or two. */
const INDEXED_MS = 6_000
/** The keeper waits for some blocks before it accepts a payment. */
const SETTLED_MS = 20_000
const JOURNEY_MS = 60_000
const folder = fileURLToPath(new URL('../docs/examples/', import.meta.url))

const { USDC, USDG } = DEPLOYMENT.tokens
const userAddress = DEVNET_USERS[0]?.address ?? ''
const dollar = vaultDeployment('Harbor Dollar', 1)
const prime = vaultDeployment('Harbor Prime', 1)
const classic = vaultDeployment('Harbor Classic', 1)
const sunset = vaultDeployment('Harbor Sunset', 11_155_111)

const quote = {
  userAddress,
  offerAmount: '2000000000',
  offerAsset: USDC,
  sourceChainId: 1,
  wantAsset: USDG,
  destinationChainId: 4663,
  responseFormat: 'full',
}
const deposit = {
  vaultAddress: prime.vault,
  depositAsset: USDC,
  depositAmount: '2000000000',
  userAddress,
  chainId: 1,
  responseFormat: 'full',
}
const wanted = {
  userDestinationAddress: userAddress,
  vaultAddress: dollar.vault,
  inputToken: USDC,
  chainId: 1,
  customerId: 'customer_1',
}
const cancel = { vaultAddress: sunset.vault, orderIndex: 1, chainId: 11_155_111 }

const EXAMPLES: Example[] = [
  ['listCapabilities', '/v1/core/capabilities', { chainId: 1 }],
  ['listChains', '/v1/core/chains'],
  ['listTokens', '/v1/core/tokens', { filter: 'chainId = 1' }],
  ['listTransitRoutes', '/v1/transit/routes', { pageSize: 2 }],
  [
    'getAuthorization',
    '/v3/core/authorization',
    { tokenAddress: USDC, amount: '2000000000', userAddress, chainId: 1 },
  ],
  ['getOrderQuote', '/v1/transit/orders/quote', quote],
  ['getOrderQuote.404', '/v1/transit/orders/quote', { ...quote, wantAsset: USDC }],
  ['listTransitOrders', '/v1/transit/orders', { userAddress, pageSize: 2 }],
  [
    'listTransitStats',
    '/v1/transit/stats',
    { startTime: hourOf(Date.now()) - 7_200, endTime: hourOf(Date.now()), pageSize: 2 },
  ],
  ['listTransitRouteApprovals', '/v1/transit/routeApprovals', { pageSize: 2 }],
  ['listVaults', '/v2/earn/vaults', { filter: 'name = "Harbor Prime"' }],
  ['listVaultAssets', '/v2/earn/vaultAssets', { pageSize: 2 }],
  ['getWithdrawAssets', '/v1/protocol/withdraw-assets', {}],
  ['listSupplyCaps', '/v2/earn/supplyCaps', { pageSize: 4 }],
  ['listVaultCompositions', '/v2/earn/vaultCompositions', { pageSize: 4 }],
  [
    'listWithdrawalRequests',
    '/v2/earn/withdrawalRequests',
    { filter: `vaultAddress = ${sunset.vault} AND status = PENDING`, pageSize: 2 },
  ],
  [
    'getWithdrawalRequest',
    `/v2/earn/withdrawalRequests/${sunset.chainId}:${sunset.current.queue}:1`,
    {},
  ],
  [
    'listWithdrawalVolumes',
    '/v2/earn/withdrawalVolumes',
    // A range over the whole past.
    { vaultAddress: prime.vault, startTime: 0, endTime: 4_102_444_800 },
  ],
  ['listLiquidityShortfalls', '/v2/earn/liquidityShortfalls', { pageSize: 2 }],
  [
    'listUserPositions',
    '/v2/earn/userPositions',
    { userAddress, filter: `vaultAddress = ${prime.vault}` },
  ],
  ['listActivity', '/v2/earn/activity', { filter: `userAddress = ${userAddress}`, pageSize: 2 }],
  [
    'getDepositAuthorization',
    '/v2/core/authorization',
    {
      vaultAddress: dollar.vault,
      tokenAddress: USDC,
      amount: '2000000000',
      userAddress,
      chainId: 1,
    },
  ],
  ['deposit', '/v2/earn/deposit', deposit],
  ['deposit.400', '/v2/earn/deposit', { ...deposit, depositAmount: '0', userAddress: '0x12' }],
  [
    'withdraw',
    '/v2/earn/withdraw',
    {
      vaultAddress: dollar.vault,
      wantAsset: USDC,
      shareAmount: '10000000',
      userAddress,
      chainId: 1,
      responseFormat: 'full',
    },
  ],
  ['cancelWithdrawal', '/v2/earn/withdraw/cancel', { ...cancel, responseFormat: 'full' }],
  ['cancelWithdrawal.400', '/v2/earn/withdraw/cancel', { ...cancel, orderIndex: 2 }],
  ['cancelWithdrawal.404', '/v2/earn/withdraw/cancel', { ...cancel, orderIndex: 99 }],
  [
    'calculateWithdrawalFee',
    '/v2/earn/calculateWithdrawalFee',
    { offerAmount: String(10n ** 19n), wantAsset: USDC, vaultAddress: prime.vault, chainId: 1 },
  ],
  ['registerSmartDepositAddress', '/v2/earn/smartDepositAddresses', wanted, 'POST'],
  [
    'registerSmartDepositAddress.400',
    '/v2/earn/smartDepositAddresses',
    { ...wanted, customerId: 'customer 1', userDestinationAddress: '0x12' },
    'POST',
  ],
  ['listSmartDepositAddresses', '/v2/earn/smartDepositAddresses', { pageSize: 2 }],
]
/** Requested after a payment to the smart deposit address. */
const PAID: Example = ['listSmartDeposits', '/v2/earn/smartDeposits', { pageSize: 2 }]
/** Requested when the vault is two days old. */
const SERIES: Example[] = [
  ['listVaultApys', '/v2/earn/vaultApys', ofDollar({ pageSize: 2, orderByTimestamp: 'desc' })],
  ['listVaultTvls', '/v2/earn/vaultTvls', ofDollar({ pageSize: 2, orderByTimestamp: 'desc' })],
]
/** Requested while the vault's teller is paused. */
const PAUSED: Example = [
  'deposit.503',
  '/v2/earn/deposit',
  { ...deposit, vaultAddress: classic.vault },
]

const dataDirectory = findDataDirectory(process.env)
const run = await readRunFile(dataDirectory)
if (run === null || run.accounts.length === 0) {
  process.stderr.write('No local world runs here: npm run reset && npm start first\n')
  process.exit(1)
}
await mkdir(folder, { recursive: true })
const world = { rpcUrls: run.rpcUrls, addressBook: await loadAddressBook(run.addressBook) }
for (const file of await readdir(folder)) await rm(`${folder}${file}`)
for (const example of EXAMPLES) await ask(run, example)
await writeOrder(run)
await writeWebhookExamples({ ...run, folder })
await writeAccessExamples({ ...run, folder })
// A rehearsal of six chains would take minutes.
await writeReport(rehearsalReportFile(dataDirectory), EXAMPLE_REPORT)
await writeMemberExamples({ ...run, folder, consoleOrigin: new URL(run.apiUrl).origin })
await payInto(run, world)
await enterFromElsewhere(run, world)
await ask(run, PAID)
await whilePaused(world, classic, () => ask(run, PAUSED))
await whilePaused(world, dollar, () => refundRetained(run, world))
// This comes last, since that chain's clock is ahead from here on.
await worldClient(world, dollar.chainId).increaseTime({ seconds: 172_800 })
await sleep(INDEXED_MS)
for (const example of SERIES) await ask(run, example)

function ofDollar(query: Values): Values {
  return { filter: `vaultAddress = ${dollar.vault} AND chainId = ${dollar.chainId}`, ...query }
}

/** Pays the registered smart deposit address, and shows the deposit once the keeper has settled it, if one runs. */
async function payInto(run: RunFile, target: World) {
  const account = await payRegistered(run, target, { pageSize: 1 })
  const depositId = await depositThatIs('CONFIRMED', run, account)
  if (depositId) await ask(run, ['getSmartDeposit', `/v2/earn/smartDeposits/${depositId}`])
}

/** Pays the registered address while its vault is paused, and orders the refund once the payment is retained, if a keeper runs. */
async function refundRetained(run: RunFile, target: World) {
  const account = await payRegistered(run, target, { filter: 'customerId = customer_1' })
  const place = { smartDepositAddress: account, chainId: 1, token: USDC }
  await ask(run, ['prepareTakeBack', '/v2/earn/smartDeposits/withdrawal', place])
  const depositId = await depositThatIs('FAILED', run, account)
  const path = `/v2/earn/smartDeposits/${depositId}/refund`
  if (depositId) await ask(run, ['refundSmartDeposit', path, {}, 'POST'])
}

async function payRegistered(run: RunFile, target: World, query: Values): Promise<Address> {
  const { smartDepositAddresses } = await read<{
    smartDepositAddresses: { smartDepositAddress: Address }[]
  }>(run, '/v2/earn/smartDepositAddresses', query)
  const account = smartDepositAddresses[0]?.smartDepositAddress
  if (!account) throw new Error('No address was asked for')
  await payAccount(target, { chainId: 1, account, token: 'USDC', units: '25' })
  return account
}

function depositThatIs(
  status: string,
  run: RunFile,
  account: Address,
): Promise<string | undefined> {
  return found(SETTLED_MS, async () => {
    const { smartDeposits } = await read<{ smartDeposits: { depositId: string }[] }>(
      run,
      '/v2/earn/smartDeposits',
      { filter: `status = ${status} AND smartDepositAddress = ${account}` },
    )
    return smartDeposits[0]?.depositId
  })
}

/** Takes a user from another chain into a vault, and shows the journey once the shares are there, if a keeper runs. */
async function enterFromElsewhere(run: RunFile, target: World) {
  const [user] = DEVNET_USERS
  if (!user) throw new Error('There is no local account')
  const sourceChainId = 4663
  const { chainId, vault: vaultAddress } = dollar
  const from = { chainId, vaultAddress, sourceChainId, sourceAsset: USDG, userAddress }
  const data = encodeFunctionData({
    abi: erc20Abi,
    functionName: 'approve',
    args: [DEPLOYMENT.station, 250_000_000n],
  })
  await sendCall(target, sourceChainId, { account: user, address: USDG, data })
  const wanted = { ...from, depositAsset: USDG, depositAmount: '250000000' }
  await ask(run, ['getJourneyQuote', '/v2/earn/journeys/quote', wanted])
  const { transaction, journey } = await read<{
    transaction: { to: Address; data: Hex; value: string }
    journey: { id: Hex }
  }>(run, '/v2/earn/deposit', wanted)
  const { to: address, data: call, value } = transaction
  await sendCall(target, sourceChainId, {
    account: user,
    address,
    data: call,
    value: BigInt(value),
  })
  const path = `/v2/earn/journeys/${journey.id}`
  const isThere = await found(JOURNEY_MS, async () => {
    const { journey: shown } = await read<{ journey?: { status: string } }>(run, path)
    return shown?.status === 'DEPOSITED' || undefined
  })
  if (!isThere) return
  await ask(run, ['getJourney', path])
  await ask(run, ['listJourneys', '/v2/earn/journeys', { userAddress, pageSize: 1 }])
}

/** One of the seeded orders, delivered. */
async function writeOrder(target: RunFile) {
  const query = { userAddress, filter: 'status = PROCESSED', pageSize: 1 }
  const { orders } = await read<{
    orders: { id: string; sourceChainId: number; sourceTxHash: string }[]
  }>(target, '/v1/transit/orders', query)
  const [order] = orders
  if (!order) throw new Error('There is no order that is delivered yet: try again')
  await ask(target, ['getTransitOrder', `/v1/transit/orders/${order.id}`])
  const { sourceChainId: chainId, sourceTxHash: txHash } = order
  await ask(target, ['getTransitSubmission', '/v1/transit/submissions', { chainId, txHash }])
}

function ask({ apiUrl, apiKey }: RunFile, [name, path, values, method]: Example) {
  const call = method ? { method, path, body: values } : { path: withQuery(path, values) }
  return writeExample({ apiUrl, apiKey, folder }, { name, ...call })
}

async function read<Answer>(
  { apiUrl, apiKey }: RunFile,
  path: string,
  query?: Values,
): Promise<Answer> {
  const headers = { 'x-api-key': apiKey }
  const response = await fetch(apiUrl + withQuery(path, query), { headers })
  return (await response.json()) as Answer
}

function withQuery(path: string, query: Values = {}): string {
  const texts = Object.entries(query).map(([key, value]) => [key, String(value)])
  return texts.length > 0 ? `${path}?${new URLSearchParams(Object.fromEntries(texts))}` : path
}

/** What `find` finds within this time. Undefined if it finds nothing, as without a keeper. */
async function found<Found>(
  withinMs: number,
  find: () => Promise<Found | undefined>,
): Promise<Found | undefined> {
  for (let waited = 0; waited < withinMs; waited += 500) {
    const one = await find()
    if (one !== undefined) return one
    await sleep(500)
  }
  return undefined
}

async function whilePaused(
  target: World,
  { chainId, current }: VaultDeployment,
  meanwhile: () => Promise<unknown>,
) {
  const call = (functionName: 'pause' | 'unpause') =>
    sendCall(target, chainId, {
      account: DEVNET_ACTORS.vaultDeployer,
      address: current.teller,
      data: encodeFunctionData({ abi: tellerOperatorAbi, functionName }),
    })
  await call('pause')
  try {
    await meanwhile()
  } finally {
    await call('unpause')
  }
}

/** The end of the hour of a time, in Unix seconds. */
function hourOf(ms: number): number {
  return Math.ceil(ms / 3_600_000) * 3_600
}
