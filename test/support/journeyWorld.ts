import { randomBytes } from 'node:crypto'
import type { Address, Hex, LocalAccount } from 'viem'
import { expect } from 'vitest'
import { connect } from '../../db/sql.ts'
import { startAttestationServer } from '../../devnet/attestations.ts'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import { approve } from '../../devnet/placeOrder.ts'
import { PLANNED_TOKENS, type TokenSymbol } from '../../devnet/plan.ts'
import { vaultDeployment } from '../../devnet/vaults/deployment.ts'
import { sendCall } from '../../devnet/vaults/sendCall.ts'
import { worldClient } from '../../devnet/world.ts'
import { freePorts } from './freePorts.ts'
import { getJson } from './getJson.ts'
import { type JourneySum, journeySum } from './journeySum.ts'
import { createTestDatabase } from './postgres.ts'
import { startTestProduct } from './product.ts'
import { startWorkerProcess } from './workerProcess.ts'

/** A route into a vault of chain 1. */
export type Way = { from: number; offer: TokenSymbol; want: TokenSymbol; vault: string }

export type Started = {
  way: Way
  user: LocalAccount
  id: Hex
  smartDepositAddress: Address
}

type Prepared = {
  transaction: { to: Address; value: string; data: Hex }
  journey: { id: Hex; smartDepositAddress: Address }
}

export type JourneyWorld = Awaited<ReturnType<typeof startJourneyWorld>>

const TO = 1
/** Above every finality depth of the local chains. */
const FINALITY_BLOCKS = 70

/** A whole product with a keeper and an attestation provider, and what an app does with it to deposit from anywhere. */
export async function startJourneyWorld() {
  const started = new AsyncDisposableStack()
  const database = await createTestDatabase()
  started.defer(database.drop)
  const [port = 0] = await freePorts(1)
  const apiKey = 'journeys'
  const variables = {
    SECRETS_KEY: randomBytes(32).toString('hex'),
    ATTESTATION_URL: `http://127.0.0.1:${port}/v2/attestation`,
    ATTESTATION_API_KEY: apiKey,
    PAYER_SCREENING_URL: `http://127.0.0.1:${port}/v1/payers`,
    PAYER_SCREENING_API_KEY: apiKey,
  }
  const product = await startTestProduct({
    databaseUrl: database.url,
    withVaults: true,
    variables,
  })
  started.defer(product.stop)
  const { world, url } = product
  const attester = await startAttestationServer({ world, port, apiKey })
  started.defer(attester.stop)
  const worker = startWorkerProcess({
    databaseUrl: database.url,
    addressBook: product.indexer.addressBook,
    rpcUrls: world.rpcUrls,
    appSecret: randomBytes(32).toString('hex'),
    variables,
  })
  started.defer(worker.stop)
  const sql = connect(database.url, { applicationName: 'test', max: 1 })
  started.defer(() => sql.end())

  /** The parameters of the deposit. Each journey has its own customer, so its own address. */
  function parametersOf(way: Way, user: LocalAccount, units: bigint): Record<string, string> {
    return {
      chainId: String(TO),
      vaultAddress: vaultDeployment(way.vault, TO).vault,
      depositAsset: DEPLOYMENT.tokens[way.want],
      sourceChainId: String(way.from),
      sourceAsset: DEPLOYMENT.tokens[way.offer],
      userAddress: user.address,
      depositAmount: String(unitsOf(way.offer, units)),
      customerId: randomBytes(8).toString('hex'),
    }
  }

  /** Approves the station, and sends the transaction of an answer. */
  async function send(way: Way, user: LocalAccount, { transaction, journey }: Prepared) {
    const token = DEPLOYMENT.tokens[way.offer]
    const amount = unitsOf(way.offer, 100_000n)
    const client = worldClient(world, way.from)
    await approve(client, { user, token, spender: DEPLOYMENT.station, amount })
    const { to: address, data, value } = transaction
    await sendCall(world, way.from, { account: user, address, data, value: BigInt(value) })
    const { id, smartDepositAddress } = journey
    return { way, user, id, smartDepositAddress }
  }

  async function start(way: Way, user: LocalAccount, units = 250n): Promise<Started> {
    const query = new URLSearchParams(parametersOf(way, user, units))
    const { status, body } = await getJson<Prepared>(`${url}/v2/earn/deposit?${query}`)
    expect([way, status, status === 200 || body]).toEqual([way, 200, true])
    const journey = await send(way, user, body)
    await expect.poll(() => statusOf(journey)).not.toBeUndefined()
    return journey
  }

  async function statusOf({ id }: Pick<Started, 'id'>): Promise<string | undefined> {
    const { body } = await getJson<{ journey?: { status: string } }>(
      `${url}/v2/earn/journeys/${id}`,
    )
    return body.journey?.status
  }

  const sumOf = ({ way, user, id, smartDepositAddress }: Started): Promise<JourneySum> =>
    journeySum(world, {
      orderId: id,
      from: way.from,
      to: TO,
      user: user.address,
      vault: vaultDeployment(way.vault, TO).vault,
      smartDepositAddress,
    })

  /** Waits for the status, and answers where the money is then. */
  async function endsAs(journey: Started, status: string): Promise<JourneySum> {
    await expect.poll(() => statusOf(journey)).toBe(status)
    return sumOf(journey)
  }

  /** Makes the keeper try again at once what it retained. */
  const retryNow = () =>
    sql`update app.smart_deposit set retry_at = now() where status = 'retrying'`

  /** From now on the local provider refuses what this account pays. */
  const refusePayer = (account: Address) =>
    fetch(`${attester.url}/admin/payer-refusals/${account}`, {
      method: 'PUT',
      headers: { 'x-api-key': apiKey },
    })

  async function finalize() {
    for (const chainId of [1, 4663])
      await worldClient(world, chainId).mine({ blocks: FINALITY_BLOCKS })
  }

  return {
    product,
    parametersOf,
    send,
    start,
    statusOf,
    sumOf,
    endsAs,
    retryNow,
    refusePayer,
    finalize,
    stop: () => started.disposeAsync(),
  }
}

export function unitsOf(symbol: TokenSymbol, units: bigint): bigint {
  const decimals = PLANNED_TOKENS.find((token) => token.symbol === symbol)?.decimals ?? 0
  return units * 10n ** BigInt(decimals)
}

/** What `ORDER_STEPS` needs of a journey. */
export const targetOf = ({ id, way }: Started) => ({
  orderId: id,
  from: way.from,
  to: TO,
  want: way.want,
})
