import { type Address, erc20Abi, type Hex, zeroAddress } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { userAt } from '../../devnet/accounts.ts'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import { MULTICALL3 } from '../../devnet/plan.ts'
import { type VaultDeployment, vaultDeployment } from '../../devnet/vaults/deployment.ts'
import { DEPOSIT_FORMS } from '../../domain/smartDeposit/depositForm.ts'
import { startTestWorld } from '../support/anvils.ts'
import { type SeededRandom, seededRandom } from '../support/seededRandom.ts'
import { addressNamed } from '../support/smartDeposits.ts'
import {
  type AccountKey,
  createFactory,
  type FactoryWorld,
  keeper,
  keyOf,
  NATIVE,
  nextPayment,
  owner,
  recoveryWallet,
  termsOf,
} from './factoryWorld.ts'

const MOVES = Number(process.env.FUZZ_MOVES ?? 80)
const SEED = Number(process.env.FUZZ_SEED ?? Date.now() % 1_000_000)

const { USDC, USDT, USDP } = DEPLOYMENT.tokens
const VAULTS = [vaultDeployment('Harbor Dollar', 1), vaultDeployment('Harbor Classic', 1)]
const stranger = userAt(9)
/** New accounts: all of their funds came from the factory. */
const SUBJECTS = [
  { vault: 0, inputToken: USDC, destination: addressNamed('one') },
  { vault: 1, inputToken: USDT, destination: addressNamed('two') },
  { vault: 0, inputToken: USDT, destination: addressNamed('three') },
] as const
const TOKENS = [USDC, USDT, USDP, NATIVE]
const AMOUNTS = [1n, 1_000n, 250_000_000n] as const

type Subject = { key: AccountKey; account: Address; vault: number }
/** The expected state of the factory. */
type Model = {
  /** Payments so far, by `<account>:<token>`. */
  received: Map<string, bigint>
  settled: Hex[]
  /** By vault: the depositor in use, a thief, or none. */
  routes: ('real' | 'thief' | 'none')[]
}

let w: FactoryWorld
let stop: () => Promise<void>
let subjects: Subject[]
let thieves: Address[]
beforeAll(async () => {
  const started = await startTestWorld([1], { withVaults: true })
  stop = started.stop
  w = await createFactory(started.world)
  thieves = []
  for (const { vault } of VAULTS) thieves.push(await w.create('ThievingDepositor', [vault]))
  subjects = await Promise.all(
    SUBJECTS.map(async ({ vault, inputToken, destination }) => {
      const key = keyOf({ vault: VAULTS[vault]?.vault ?? zeroAddress, inputToken, destination })
      return { key, account: await w.accountOf(key), vault }
    }),
  )
})
afterAll(() => stop?.())

function balance(token: Address, address: Address): Promise<bigint> {
  if (token === NATIVE) return w.client.getBalance({ address })
  const call = { address: token, abi: erc20Abi, functionName: 'balanceOf' } as const
  return w.client.readContract({ ...call, args: [address] })
}

function balances(token: Address, addresses: Address[]): Promise<bigint[]> {
  if (token === NATIVE) return Promise.all(addresses.map((address) => balance(token, address)))
  const call = { address: token, abi: erc20Abi, functionName: 'balanceOf' } as const
  const contracts = addresses.map((address) => ({ ...call, args: [address] as const }))
  return w.client.multicall({ contracts, multicallAddress: MULTICALL3, allowFailure: false })
}

const placeOf = (account: Address, token: Address) => `${account}:${token}`

/** All of each token is at an allowed account. */
async function holdings() {
  const owners = [
    ...subjects.flatMap(({ key, account }) => [account, key.destination]),
    recoveryWallet.address,
    ...VAULTS.map(({ vault }) => vault),
  ]
  const lost = [...thieves, ...VAULTS.map(({ current }) => current.depositor)]
  const at = async (token: Address, addresses: Address[]) => {
    const all = await balances(token, addresses)
    return all.reduce((sum, each) => sum + each, 0n)
  }
  return Promise.all(
    TOKENS.map(async (token) => ({
      kept: await at(token, owners),
      lost: await at(token, [...lost, w.factory.address, w.origin.implementation]),
    })),
  )
}

async function fund(random: SeededRandom, model: Model): Promise<string> {
  const { account } = random.pick(subjects as [Subject])
  const token = random.pick(TOKENS as [Address])
  const amount = random.pick(AMOUNTS)
  if (token === NATIVE) {
    // An account with code takes no coins; one without takes them.
    if (await w.client.getCode({ address: account })) return 'no coins after there is code'
    const hash = await w.client.sendTransaction({ account: stranger, to: account, value: amount })
    await w.client.waitForTransactionReceipt({ hash })
  } else await w.mint(token, account, amount)
  const place = placeOf(account, token)
  model.received.set(place, (model.received.get(place) ?? 0n) + amount)
  return `fund ${account} ${token} ${amount}`
}

async function setRoute(random: SeededRandom, model: Model): Promise<string> {
  const index = random.integer(0, VAULTS.length - 1)
  const deployment = VAULTS[index]
  if (!deployment) throw new Error('there is a vault')
  const by = random.pick([owner, owner, owner, keeper, stranger])
  const to = random.pick(['real', 'real', 'real', 'real', 'thief', 'none'] as const)
  const { vault } = deployment
  const args = {
    real: routeOf(deployment),
    thief: [vault, thieves[index], DEPOSIT_FORMS.PLAIN],
    none: [vault, zeroAddress, DEPOSIT_FORMS.NONE],
  }[to]
  const reverted = await w.revertOf(by, 'setRoute', args)
  expect(reverted).toBe(by === owner ? null : 'OwnableUnauthorizedAccount')
  if (reverted === null) {
    await w.write(by, 'setRoute', args)
    model.routes[index] = to
  }
  return `route of ${index} to ${to} by ${by.address}: ${reverted}`
}

function routeOf({ vault, current }: VaultDeployment) {
  const form = current.generation === 'A' ? DEPOSIT_FORMS.PLAIN : DEPOSIT_FORMS.ATTESTED
  return [vault, current.depositor, form]
}

async function openRoute(deployment: VaultDeployment) {
  await w.write(owner, 'setRoute', routeOf(deployment))
}

async function settle(random: SeededRandom, model: Model): Promise<string> {
  const subject = random.pick(subjects as [Subject])
  const by = random.pick([keeper, keeper, keeper, owner, stranger])
  const way = random.pick(['forward', 'forward', 'refund', 'recover'] as const)
  const token = way === 'forward' ? subject.key.inputToken : random.pick(TOKENS as [Address])
  const there = await balance(token, subject.account)
  const amount = random.pick([
    0n,
    1n,
    there / 2n,
    there / 2n,
    there / 2n,
    there,
    there + 1n,
  ] as const)
  const used = model.settled.length > 0 && random.chance(0.15)
  const payment = used ? random.pick(model.settled as [Hex]) : nextPayment()
  const minimum = random.chance(0.2) ? amount * 2n : 0n
  const args = way === 'forward' ? [termsOf(amount, minimum)] : [token, amount]
  const call = [by, way, [subject.key, payment, ...args]] as const
  const reverted = await w.revertOf(...call)
  const route = model.routes[subject.vault]
  const isFine =
    by !== stranger &&
    !used &&
    amount > 0n &&
    amount <= there &&
    (way !== 'forward' || (route === 'real' && minimum === 0n))
  const what = `${way} ${amount} of ${there} ${token} by ${by.address}, route ${route}: ${reverted}`
  expect([what, reverted === null]).toEqual([what, isFine])
  if (reverted === null) {
    const shares = () => w.balance(subject.key.vault, subject.key.destination)
    const before = await shares()
    await w.write(...call)
    model.settled.push(payment)
    if (way === 'forward') expect(await shares()).toBeGreaterThan(before)
  }
  return what
}

test(`behavior: after ${MOVES} random moves all funds are at allowed accounts, seed ${SEED}`, async () => {
  const random = seededRandom(SEED)
  const model: Model = { received: new Map(), settled: [], routes: VAULTS.map(() => 'real') }
  for (const deployment of VAULTS) await openRoute(deployment)
  const start = await holdings()
  const log: string[] = []
  for (let move = 0; move < MOVES; move += 1) {
    const kind = random.pick([
      ...([fund, fund, fund, fund, settle, settle, settle, settle, settle, settle] as const),
      setRoute,
    ])
    log.push(await kind(random, model))
    const now = await holdings()
    for (const [index, token] of TOKENS.entries()) {
      const received = subjects.reduce(
        (sum, { account }) => sum + (model.received.get(placeOf(account, token)) ?? 0n),
        0n,
      )
      const before = start[index]?.kept ?? 0n
      const place = `${token} after: ${log.slice(-3).join('; ')}`
      expect([place, now[index]?.kept]).toEqual([place, before + received])
      expect([place, now[index]?.lost]).toEqual([place, start[index]?.lost])
    }
  }
  // After any history, the rest can still be forwarded.
  for (const deployment of VAULTS) await openRoute(deployment)
  for (const { key, account } of subjects) {
    await w.mint(key.inputToken, account, 1_000_000n)
    const left = await balance(key.inputToken, account)
    await w.write(keeper, 'forward', [key, nextPayment(), termsOf(left)])
    expect(await balance(key.inputToken, account)).toBe(0n)
  }
})
