import { setTimeout as sleep } from 'node:timers/promises'
import { type Address, getAddress } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DEVNET_REFUSED_USER, userAt } from '../../devnet/accounts.ts'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import { worldClient } from '../../devnet/world.ts'
import { type AddressBookFile, parseAddressBook } from '../../domain/addressBook/addressBook.ts'
import { httpAttestationProvider } from '../../domain/earn/deposits/attestationProvider.ts'
import { earnDeployments } from '../../domain/earn/vaults/deployments.ts'
import { findRoute, resolvedRoutes } from '../../domain/transit/routes/resolvedRoutes.ts'
import { pauseRoute, resumeRoute } from '../../domain/transit/signing/routePauses.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { undescribed } from '../support/describedAnswer.ts'
import { type EarnClient, earnClient, type PreparedBody } from '../support/earn.ts'
import { ATTESTATION_KEY, type EarnWorld, startEarnWorld } from '../support/earnWorld.ts'
import { getJson } from '../support/getJson.ts'
import { handClock } from '../support/handClock.ts'
import { type Ends, quotePath } from '../support/quotes.ts'
import type { ErrorBody } from '../support/refusal.ts'
import { seededRandom } from '../support/seededRandom.ts'
import { newKey, smartDepositRegistrar } from '../support/smartDepositRegistrar.ts'
import { LOCAL } from './askQuote.ts'
import { CROSS } from './quoteCases.ts'
import { type Move, stationMoves, vaultMoves } from './worldMoves.ts'

/** What the capabilities say in drawn states of the world, and what the calls answer then. */

const STATES = Number(process.env.CAPABILITY_STATES ?? 60)
const SEED = Number(process.env.SEED ?? 1)
const NAMES = ['Harbor Dollar', 'Harbor Prime', 'Harbor Classic']
const AMOUNT = 10n ** 4n
const USER = userAt(0)
/** Code that reverts whatever it is asked: it takes no receipt. */
const REFUSING: Address = `0x${'7e'.repeat(20)}`
const USERS: [Address, Address, Address] = [USER.address, DEVNET_REFUSED_USER.address, REFUSING]

type Capability = {
  isOpen: boolean
  reasons: { reason: string; message: string; metadata: Record<string, string>; since?: string }[]
}
type Vault = { chainId: number; vaultAddress: Address } & Record<
  'deposit' | 'withdraw' | 'cancel' | 'smartDeposit',
  Capability
>
type Route = Capability &
  Record<'sourceChainId' | 'destinationChainId', number> &
  Record<'offerAsset' | 'wantAsset', Address>
type Page = { transitRoutes: Route[]; vaults: Vault[]; nextPageToken: string | null }
/** Reasons of this machine and its nodes. No drawn state has them. */
const TOO_BUSY = ['OVERLOADED', 'RPC_UNAVAILABLE']
/** The reason of a refusal; null for a call that was answered. */
type Answer = string | null

const clock = handClock()
let earn: EarnWorld
/** Without a signer, and with Harbor Dollar deprecated. */
let other: TestApi
let keys: Map<TestApi, string>

beforeAll(async () => {
  earn = await startEarnWorld([1, 4663], { clock })
  await worldClient(earn.world, 1).setCode({ address: REFUSING, bytecode: '0x60006000fd' })
  for (const name of NAMES) {
    const client = vaultOf(earn.api, name)
    const { body } = await withdrawal(client, 'USDC', USER.address)
    await client.giveShares(USER, 'USDC', 100_000_000n)
    await client.approve(USER, client.deployment.vault, [
      client.deployment.current.queue,
      10n ** 40n,
    ])
    await client.send(USER, body.transaction)
  }
  const file: AddressBookFile = JSON.parse(JSON.stringify(earn.world.addressBook))
  for (const vault of file.vaults ?? [])
    if (vault.name === 'Harbor Dollar')
      for (const deployment of vault.deployments) deployment.inDeprecation = true
  other = await startTestApi({
    world: earn.world,
    addressBook: parseAddressBook(file, 'a deprecated vault'),
    quoteSignerKey: null,
    attestations: httpAttestationProvider(earn.attestationUrl, ATTESTATION_KEY),
    clock,
  })
  keys = new Map([
    [earn.api, await newKey(earn.api, 'Registrar')],
    [other, await newKey(other, 'Registrar')],
  ])
})
afterAll(async () => {
  await other?.stop()
  await earn?.stop()
})

test(
  `behavior: in ${STATES} drawn states no call contradicts what the capabilities say`,
  async () => {
    const random = seededRandom(SEED)
    const closed = new Set<string>()
    for (let drawn = 0; drawn < STATES; drawn += 1) {
      const api = random.chance(0.15) ? other : earn.api
      const user = random.chance(0.7) ? USERS[0] : random.pick(USERS)
      const stop = stopOf(api)
      const moves: Move[] = [
        ...stationMoves(earn.world),
        ...NAMES.flatMap((name) => vaultMoves(vaultOf(api, name), random, user)),
        stop,
      ]
      const chosen = Array.from({ length: random.integer(0, 4) }, () =>
        random.pick(moves as [Move, ...Move[]]),
      )
      const client = worldClient(earn.world, 1)
      const mark = await client.snapshot()
      for (const { make } of new Set(chosen)) await make()
      clock.advance(60_000)
      const what = `${api === other ? 'other, ' : ''}${user}: ${chosen.map(({ name }) => name).join(', ')}`
      const found = await contradictions(api, user)
      expect(found.contradictions, what).toEqual([])
      for (const reason of found.reasons) closed.add(reason)
      await client.revert({ id: mark })
      if (chosen.includes(stop)) await resumeRoute(api.administrator, stoppedKey(api))
    }
    if (STATES < 60) return
    expect([...closed].sort()).toEqual(
      expect.arrayContaining([
        'ACCOUNT_FROZEN',
        'ROUTE_PAUSED',
        'STATION_PAUSED',
        'VAULT_DEPRECATED',
        'VAULT_NOT_CONNECTED',
        'VAULT_PAUSED',
      ]),
    )
  },
  STATES * 20_000,
)

test('default: every route and deployment of the book, in pages', async () => {
  clock.advance(60_000)
  const { body } = await capabilities(earn.api, {})
  const { addressBook } = earn.world
  expect(body.transitRoutes).toHaveLength(resolvedRoutes(addressBook).length)
  expect(body.vaults).toHaveLength(earnDeployments(addressBook).length)
  const rows: unknown[] = []
  let pageToken: string | null = ''
  while (pageToken !== null) {
    const page: { body: Page } = await capabilities(earn.api, {
      pageSize: '3',
      ...(pageToken && { pageToken }),
    })
    rows.push(...page.body.transitRoutes, ...page.body.vaults)
    pageToken = page.body.nextPageToken
  }
  expect(rows).toEqual([...body.transitRoutes, ...body.vaults])
})

test('behavior: a stop of a route has its time', async () => {
  await stopOf(earn.api).make()
  clock.advance(60_000)
  const { body } = await capabilities(earn.api, { chainId: '1' })
  const reasons = body.transitRoutes.flatMap((route) => route.reasons)
  expect(reasons).toEqual([
    expect.objectContaining({ reason: 'ROUTE_PAUSED', since: reasons[0]?.metadata.pausedAt }),
  ])
  await resumeRoute(earn.api.administrator, stoppedKey(earn.api))
})

test('error: an unknown chain and an unknown vault', async () => {
  expect((await capabilities(earn.api, { chainId: '77' })).reason).toBe('CHAIN_NOT_FOUND')
  const vaultAddress = DEPLOYMENT.tokens.USDC
  expect((await capabilities(earn.api, { vaultAddress })).reason).toBe('VAULT_NOT_FOUND')
})

/** The answer of a call, which is repeated while this machine is too busy. */
async function answered<Given extends { reason: string | null }>(call: () => Promise<Given>) {
  for (;;) {
    const answer = await call()
    if (answer.reason === null || !TOO_BUSY.includes(answer.reason)) return answer
    await sleep(500)
    // A failure is kept for two seconds of this clock.
    clock.advance(500)
  }
}

const vaultOf = ({ url }: { url: string }, name: string) =>
  earnClient({ world: earn.world, url }, { name, chainId: 1 })

async function capabilities(api: TestApi, parameters: Record<string, string>) {
  const query = new URLSearchParams({ pageSize: '100', ...parameters })
  const answer = await answered(async () => {
    const got = await getJson<Page>(`${api.url}/v1/core/capabilities?${query}`)
    // A node that is late at this moment is a reason in an answer too.
    const isBusy = got.status === 200 && JSON.stringify(got.body).includes('"RPC_UNAVAILABLE"')
    return isBusy ? { ...got, reason: 'RPC_UNAVAILABLE' } : got
  })
  expect(undescribed(answer.url, answer.status, answer.body)).toEqual([])
  return answer
}

function stoppedKey({ context }: TestApi): string {
  const ends = {
    sourceChainId: 1,
    destinationChainId: 1,
    offerAsset: DEPLOYMENT.tokens.USDC.toLowerCase() as Address,
    wantAsset: DEPLOYMENT.tokens.USDG.toLowerCase() as Address,
  }
  return findRoute(context.addressBook, ends)?.key ?? ''
}

function stopOf(api: TestApi): Move {
  const stop = { route: stoppedKey(api), reason: 'a test' }
  return { name: 'the operator stops a route', make: () => pauseRoute(api.administrator, stop) }
}

/** Where the capabilities of a state and the answers of the calls differ, and the reasons that were seen. */
async function contradictions(api: TestApi, user: Address) {
  const [forUser, forAll] = await Promise.all([
    capabilities(api, { chainId: '1', userAddress: user }),
    capabilities(api, { chainId: '1' }),
  ])
  const found: string[] = []
  const reasons: string[] = []
  const compare = (what: string, capability: [Capability, Capability], answers: Answer[]) => {
    const [ofUser, ofAll] = capability
    const isTaken = answers.includes(null)
    const said = ofUser.reasons.map(({ reason }) => reason)
    reasons.push(...said)
    const isNamed = isTaken || answers.every((answer) => said.includes(answer ?? ''))
    if (ofUser.isOpen !== isTaken || !isNamed || (isTaken && !ofAll.isOpen))
      found.push(`${what}: ${JSON.stringify([ofUser, ofAll])}, but ${answers}`)
  }
  const routes: Ends[] = [LOCAL, CROSS]
  await Promise.all([
    ...routes.map(async (ends) => {
      const quoted = await answered(() =>
        getJson<ErrorBody>(
          `${api.url}${quotePath(ends, { userAddress: user, offerAmount: '2000000000' })}`,
        ),
      )
      const of = ({ body }: { body: Page }) =>
        body.transitRoutes.find(
          (route) =>
            route.sourceChainId === ends.from &&
            route.destinationChainId === ends.to &&
            route.offerAsset === DEPLOYMENT.tokens[ends.offer] &&
            route.wantAsset === DEPLOYMENT.tokens[ends.want],
        ) as Capability
      compare(`${ends.from} to ${ends.to}`, [of(forUser), of(forAll)], [quoted.reason])
    }),
    ...NAMES.map(async (name) => {
      const client = vaultOf(api, name)
      const of = ({ body }: { body: Page }) =>
        body.vaults.find(
          ({ vaultAddress }) => vaultAddress === getAddress(client.deployment.vault),
        ) as Vault
      const [mine, ours] = [of(forUser), of(forAll)]
      const tokens = client.deployment.plan.assets
        .map(({ token }) => token)
        .filter((token) => token !== 'WETH')
      const each = (call: (token: (typeof tokens)[number]) => Promise<Answer>) =>
        Promise.all(tokens.map(call))
      const [deposits, withdrawals, registrations, cancelled] = await Promise.all([
        each(async (token) => (await deposit(client, token, user)).reason),
        each(async (token) => (await withdrawal(client, token, user)).reason),
        each((token) => register(api, client, { token, user })),
        answered(() => client.ask<PreparedBody>('/v2/earn/withdraw/cancel', { orderIndex: '1' })),
      ])
      compare(`${name} deposit`, [mine.deposit, ours.deposit], deposits)
      compare(`${name} withdraw`, [mine.withdraw, ours.withdraw], withdrawals)
      compare(`${name} smart deposit`, [mine.smartDeposit, ours.smartDeposit], registrations)
      // The request is of the first user.
      if (user === USER.address)
        compare(`${name} cancel`, [mine.cancel, ours.cancel], [cancelled.reason])
    }),
  ])
  return { contradictions: found, reasons }
}

type Token = Parameters<EarnClient['tokenOf']>[0]

function deposit(client: EarnClient, token: Token, userAddress: Address) {
  return answered(() =>
    client.ask<PreparedBody>('/v2/earn/deposit', {
      depositAsset: client.tokenOf(token),
      depositAmount: String(AMOUNT * 10n ** (token === 'USDS' ? 18n : 6n)),
      userAddress,
    }),
  )
}

function withdrawal(client: EarnClient, token: Token, userAddress: Address) {
  const decimals = BigInt(client.deployment.plan.decimals)
  return answered(() =>
    client.ask<PreparedBody>('/v2/earn/withdraw', {
      wantAsset: client.tokenOf(token),
      shareAmount: String(10n * 10n ** decimals),
      userAddress,
    }),
  )
}

let customers = 0

async function register(
  api: TestApi,
  client: EarnClient,
  { token, user }: { token: Token; user: Address },
): Promise<Answer> {
  const { post } = smartDepositRegistrar({ ...earn, api })
  customers += 1
  const { status, answer } = await post(
    {
      userDestinationAddress: user,
      vaultAddress: client.deployment.vault,
      inputToken: client.tokenOf(token),
      chainId: 1,
      // A registered address stays what it is.
      customerId: `c${customers}`,
    },
    { key: keys.get(api) ?? '', at: api.url },
  )
  const reason = status === 200 ? null : (answer.error?.details?.at(-1)?.reason ?? String(status))
  return TOO_BUSY.includes(reason ?? '') ? register(api, client, { token, user }) : reason
}
