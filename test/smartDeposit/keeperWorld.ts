import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from 'postgres'
import { type Address, encodeFunctionData, erc20Abi, type Hex, type LocalAccount } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { expect } from 'vitest'
import type { FactoryGeneration } from '../../abis/smartDeposit.ts'
import { connect } from '../../db/sql.ts'
import { DEVNET_ACTORS, DEVNET_KEEPER_KEY, userAt } from '../../devnet/accounts.ts'
import { startAttestationServer } from '../../devnet/attestations.ts'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import { vaultDeployment } from '../../devnet/vaults/deployment.ts'
import { type World, worldClient } from '../../devnet/world.ts'
import type { AddressBook, AddressBookToken } from '../../domain/addressBook/addressBook.ts'
import { factoriesOf } from '../../domain/addressBook/factories.ts'
import { httpAttestationProvider } from '../../domain/earn/deposits/attestationProvider.ts'
import { httpPayerScreening } from '../../domain/smartDeposit/payerScreening.ts'
import { smartDepositAddress } from '../../domain/smartDeposit/smartDepositAddress.ts'
import { createLogger } from '../../processes/logger.ts'
import { createServiceContext } from '../../processes/serviceContext.ts'
import { createChainLeases } from '../../worker/smartDeposit/chainLeases.ts'
import type { Keeper, KeeperSettings } from '../../worker/smartDeposit/keeper.ts'
import { createKeeper } from '../../worker/smartDeposit/keeperPart.ts'
import { httpOrderQuotes } from '../../worker/smartDeposit/orderQuotes.ts'
import { runPass } from '../../worker/smartDeposit/runKeeper.ts'
import { startTestWorld } from '../support/anvils.ts'
import { startTestApi } from '../support/api.ts'
import { asProcessRole } from '../support/databaseRole.ts'
import { undescribedEvent } from '../support/describedAnswer.ts'
import { freePorts } from '../support/freePorts.ts'
import { encodeHandCall, type HandCall } from '../support/handCall.ts'
import { lower } from '../support/lower.ts'
import { newAddressesFrom } from '../support/newAddressesFrom.ts'
import {
  createTestDatabase,
  INDEX_TEMPLATE_DATABASE,
  TEMPLATE_DATABASE,
} from '../support/postgres.ts'
import { SETTINGS } from '../support/settings.ts'

export const CHAIN_ID = 1
export const { USDC, USDT, USDG, USDP } = DEPLOYMENT.tokens
export const dollar = vaultDeployment('Harbor Dollar', CHAIN_ID)
export const prime = vaultDeployment('Harbor Prime', CHAIN_ID)
export const keeperAccount = privateKeyToAccount(DEVNET_KEEPER_KEY)

const ATTESTATION_KEY = 'of the tests'
/** Few enough to be mined at once. */
export const FINALITY = 6

export type RecordedEvent = {
  organizationId: string
  type: string
  sequence: number
  body: Record<string, unknown>
}

type Registered = {
  user: LocalAccount
  vault?: Address
  token?: Address
  customerId?: string | null
  /** The organization whose customer it is; by default the first that registers the address. */
  organizationId?: string
  organizationIds?: string[]
  /** Of the factory, A by default. */
  generation?: FactoryGeneration
}

export type KeptWorldOptions = {
  chainIds?: number[]
  /** The api over the same database, which signs the keeper's quotes. Without it nothing answers there. */
  withApi?: boolean
}

/** A chain with vaults and a factory, its keeper in this process with a worker's role, and its own database, whose owner tests are. */
async function startKeeperWorld({ chainIds = [CHAIN_ID], withApi = false }: KeptWorldOptions = {}) {
  const started = new AsyncDisposableStack()
  const { world, stop } = await startTestWorld(chainIds, { withVaults: true })
  started.defer(stop)
  const database = await createTestDatabase(withApi ? INDEX_TEMPLATE_DATABASE : TEMPLATE_DATABASE)
  started.defer(database.drop)
  const [port = 0, closedPort = 0] = await freePorts(2)
  const attester = await startAttestationServer({ world, port, apiKey: ATTESTATION_KEY })
  started.defer(attester.stop)
  const addressBook = bookOf(world)
  const payerScreening = httpPayerScreening(`${attester.url}/v1/payers`, ATTESTATION_KEY)
  const logger = createLogger('test', process.env.KEEPER_LOG ?? 'silent')
  const roleUrl = asProcessRole(database.url, 'worker')
  const { context: service, stop: stopContext } = createServiceContext({
    applicationName: 'test',
    databaseUrl: roleUrl,
    addressBook,
    logger,
    chainUrls: new Map(
      chainIds.map((id) => [id, { rpcUrls: [world.rpcUrls[id] ?? ''], wsUrls: [] }]),
    ),
    appSecret: randomBytes(32),
    quoteSigner: null,
    settings: SETTINGS,
    secretsKey: randomBytes(32),
    webhookTargets: { allowPrivate: false },
    attestations: httpAttestationProvider(`${attester.url}/v2/attestation`, ATTESTATION_KEY),
  })
  started.defer(stopContext)
  const sql = connect(database.url, { applicationName: 'test' })
  started.defer(() => sql.end())
  const context = { ...service, sql }
  const leases = createChainLeases(roleUrl, service.sql)
  started.defer(leases.stop)
  const client = worldClient(world, CHAIN_ID)
  const api = withApi ? await startTestApi({ world, addressBook, databaseUrl: database.url }) : null
  if (api) started.defer(api.stop)
  const orderQuotes = httpOrderQuotes(api?.url ?? `http://127.0.0.1:${closedPort}`, null)

  /** A worker that takes over the chain. */
  async function takeOver(
    settings: Partial<KeeperSettings> = {},
    chainId = CHAIN_ID,
    accounts: readonly LocalAccount[] = [keeperAccount],
  ): Promise<Keeper> {
    const lease = await leases.take(chainId)
    const chain = addressBook.chains.find(({ id }) => id === chainId)
    const keeper =
      lease &&
      chain &&
      createKeeper(
        { chain, service, accounts, payerScreening, orderQuotes, settings, logger },
        lease,
      )
    if (!keeper) throw new Error('no keeper has the lease of the chain')
    return keeper
  }

  /** Changes whom the local provider refuses. */
  async function listPayer(method: 'PUT' | 'DELETE', account: Address) {
    const headers = { 'x-api-key': ATTESTATION_KEY }
    await fetch(`${attester.url}/admin/payer-refusals/${account}`, { method, headers })
  }

  return {
    world,
    addressBook,
    context,
    client,
    databaseUrl: database.url,
    takeOver,
    attester,
    refusePayer: (account: Address) => listPayer('PUT', account),
    allowPayer: (account: Address) => listPayer('DELETE', account),
    ...chainMoves(client),
    ...ledgerReads(sql),
    addressOf: (registered: Registered) => keyOf(addressBook, registered).address,
    register: (registered: Registered) => register(sql, addressBook, registered),
    stop: () => started.disposeAsync(),
  }
}

export type KeeperWorld = Awaited<ReturnType<typeof startKeeperWorld>>

/** Like `startKeeperWorld`, with an organization and a worker that has read the chain. */
export async function startKeptWorld(options: KeptWorldOptions = {}) {
  const w = await startKeeperWorld(options)
  try {
    const organizationId = await w.organization('one')
    const keeper = await w.takeOver()
    await settle(keeper, 1)
    return { w, keeper, organizationId }
  } catch (error) {
    await w.stop()
    throw error
  }
}

/** The last parts of the types of these events. */
export function kinds(events: { type: string }[]) {
  return events.map(({ type }) => type.split('.').at(-1))
}

/** From now on the worker treats every vault as deprecated; returns a function that ends this. */
export function deprecateVaults(keeper: Keeper): () => void {
  const { service } = keeper
  const vaults = service.addressBook.vaults.map((vault) => ({
    ...vault,
    deployments: vault.deployments.map((entry) => ({ ...entry, inDeprecation: true })),
  }))
  keeper.service = { ...service, addressBook: { ...service.addressBook, vaults } }
  return () => {
    keeper.service = service
  }
}

/** From now on the worker's address book has these fields in every token; returns a function that ends this. */
export function withTokens(keeper: Keeper, fields: Partial<AddressBookToken>): () => void {
  const { service } = keeper
  const tokens = service.addressBook.tokens.map((token) => ({ ...token, ...fields }))
  keeper.service = { ...service, addressBook: { ...service.addressBook, tokens } }
  return () => {
    keeper.service = service
  }
}

/** Its first factory is that of generation A, of which most addresses of the keeper's tests are. */
function bookOf({ addressBook }: World): AddressBook {
  const chains = addressBook.chains.map((chain) => ({ ...chain, finalityDepth: FINALITY }))
  const book = { ...addressBook, chains }
  newAddressesFrom(book, 'A')
  return book
}

/** Actions of the local world's accounts. */
export function chainMoves(client: ReturnType<typeof worldClient>) {
  async function send(account: LocalAccount, to: Address, data: Hex) {
    const hash = await client.sendTransaction({ account, to, data, gas: 3_000_000n })
    return client.waitForTransactionReceipt({ hash })
  }
  return {
    send,
    /** Calls a contract by a function's signature; a revert throws. */
    async call(account: LocalAccount, to: Address, call: HandCall) {
      const data = encodeHandCall(call)
      await client.call({ account, to, data })
      return send(account, to, data)
    },
    pay: (token: Address, to: Address, amount: bigint, from: LocalAccount = userAt(0)) =>
      send(
        from,
        token,
        encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] }),
      ),
    balance: (token: Address, account: Address) =>
      client.readContract({
        address: token,
        abi: erc20Abi,
        functionName: 'balanceOf',
        args: [account],
      }),
    mine: (blocks: number) => client.mine({ blocks }),
  }
}

export const owner = DEVNET_ACTORS.vaultDeployer

export function ledgerReads(sql: Sql) {
  return {
    async organization(name: string, code: Hex | null = null) {
      const [row] = await sql<{ id: string }[]>`
        insert into app.organization (name, default_distributor_code)
        values (${name}, ${code}) returning id`
      return row?.id ?? ''
    },
    async events(address?: Address) {
      const recorded = await sql<RecordedEvent[]>`
        select organization_id as "organizationId", type, resource_sequence as sequence, body
        from app.event
        where ${address ?? null}::text is null
          or lower(body->>'smart_deposit_address') = ${address ?? null}
        order by organization_sequence`
      for (const { body } of recorded) expect(undescribedEvent(body)).toEqual([])
      return recorded
    },
    /** The transactions that the keeper has sent for the payments of an address. */
    sentFor: (address: Address) => sql`
      select i.nonce, i.gas, i.cost_wei from app.keeper_intent i
      join app.keeper_part p using (chain_id, keeper, nonce)
      join app.smart_deposit d using (deposit_id) where d.address = ${address}`,
    deposits: (address: Address) =>
      sql<Record<string, unknown>[]>`
        select status, remediation, error, attempt, deposit_id, received_amount, minted_amount,
          settle_tx_hash, payment_tx_hash, is_final, tries, retry_at
        from app.smart_deposit where address = ${address}
        order by created_at, payment_log_position, attempt`,
    intents: () =>
      sql<Record<string, unknown>[]>`
        select p.kind, nonce, i.state, i.mined_hash, p.payment_id from app.keeper_intent i
        join app.keeper_part p using (chain_id, keeper, nonce) order by nonce`,
    /** Makes the next try due now. */
    hurry: () => sql`update app.smart_deposit set retry_at = now() where retry_at is not null`,
  }
}

function keyOf(addressBook: AddressBook, registered: Registered) {
  const { user, vault = dollar.vault, token = USDC, generation = 'A' } = registered
  const {
    customerId = null,
    organizationIds = [],
    organizationId = organizationIds[0],
  } = registered
  if (customerId !== null && !organizationId) throw new Error('the customer of which organization?')
  const chain = addressBook.chains.find(({ id }) => id === CHAIN_ID)
  const origin = chain && factoriesOf(chain).find((one) => one.generation === generation)
  if (!origin) throw new Error('the chain has no such factory')
  const key = {
    userDestinationAddress: user.address,
    vaultAddress: vault,
    inputToken: token,
    chainId: CHAIN_ID,
    customerId,
    organizationId: customerId === null ? null : (organizationId ?? null),
  }
  const address = lower(smartDepositAddress(origin, key))
  const { organizationId: ofCustomer } = key
  return { address, origin, user, vault, token, customerId, organizationId: ofCustomer }
}

async function register(sql: Sql, addressBook: AddressBook, registered: Registered) {
  const { address, origin, user, vault, token, ...customer } = keyOf(addressBook, registered)
  await sql`
    insert into app.smart_deposit_address (chain_id, address, factory, generation,
      user_destination_address, vault_address, input_token, customer_id, organization_id)
    values (${CHAIN_ID}, ${address}, ${origin.address}, ${origin.generation},
      ${lower(user.address)}, ${lower(vault)}, ${lower(token)}, ${customer.customerId},
      ${customer.organizationId})
    on conflict do nothing`
  for (const id of registered.organizationIds ?? [])
    await sql`
      insert into app.smart_deposit_registration (organization_id, chain_id, address)
      values (${id}, ${CHAIN_ID}, ${address})`
  return address
}

const MINING_MS = 30

/** Passes until nothing more happens on a chain that mines only on request. */
export async function settle(keeper: Keeper, passes = 4): Promise<void> {
  for (let pass = 0; pass < passes; pass += 1) {
    await runPass(keeper)
    // A node mines a transaction a moment after it has answered.
    await sleep(MINING_MS)
  }
}
