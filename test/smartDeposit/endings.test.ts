import { type Address, getAddress, type Hex, parseEther, parseGwei, parseUnits } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accountantAbi } from '../../abis/accountant.ts'
import { DEVNET_ACTORS, DEVNET_REFUSED_USER, userAt } from '../../devnet/accounts.ts'
import { VAULT_CHAINS } from '../../devnet/vaults/deployment.ts'
import { retryDeposits } from '../../domain/smartDeposit/retainedDeposits.ts'
import type { Keeper } from '../../worker/smartDeposit/keeper.ts'
import { lower } from '../support/lower.ts'
import {
  CHAIN_ID,
  deprecateVaults,
  dollar,
  type KeeperWorld,
  keeperAccount,
  kinds,
  owner,
  prime,
  settle,
  startKeptWorld,
  USDC,
  USDG,
  USDT,
  withTokens,
} from './keeperWorld.ts'

const AMOUNT = parseUnits('250', 6)
const { deployer: minter, recoveryWallet } = DEVNET_ACTORS
const oracle = VAULT_CHAINS.find(({ chainId }) => chainId === CHAIN_ID)?.smartDeposit
  .sanctionsOracle
/** A user has one address per vault, token and customer. */
let customers = 0

describe('how smart deposits end', () => {
  let w: KeeperWorld
  let keeper: Keeper
  let organizationId: string

  beforeAll(async () => {
    ;({ w, keeper, organizationId } = await startKeptWorld())
  })
  afterAll(() => w?.stop())

  type Came = { user?: number; vault?: Address; token?: Address; amount?: bigint }

  /** A new address that received this amount, and its events after the keeper's pass. */
  async function came({
    user = 3,
    vault = dollar.vault,
    token = USDC,
    amount = AMOUNT,
  }: Came = {}) {
    customers += 1
    const of = { user: userAt(user), vault, token, customerId: `c${customers}` }
    const address = await w.register({ ...of, organizationIds: [organizationId] })
    const before = await w.balance(token, userAt(user).address)
    await w.pay(token, address, amount)
    await settle(keeper, 3)
    return { address, before, events: await w.events(address) }
  }

  /** From now on a token has the price of a coin, so that little of it is worth its gas. */
  function withDearTokens() {
    const usdFeed = keeper.chain.transitFill?.nativeUsdFeed
    return withTokens(keeper, { usdFeed })
  }

  async function expectRecovered(of: Came) {
    const before = await w.balance(of.token ?? USDC, recoveryWallet.address)
    const { events, address } = await came(of)
    expect(kinds(events)).toEqual(['pending', 'failed'])
    const [, failed] = events
    const [deposit] = await w.deposits(address)
    expect(failed?.body).toMatchObject({ remediation: 'recovered' })
    expect(failed?.body.recovery_tx_hash).toBe(deposit?.settle_tx_hash)
    expect(failed?.body).not.toHaveProperty('forward_tx_hash')
    const got = (await w.balance(of.token ?? USDC, recoveryWallet.address)) - before
    expect(got).toBe(of.amount ?? AMOUNT)
    return failed?.body.error
  }

  async function expectRefunded(of: Came) {
    const { events, address, before } = await came(of)
    expect(kinds(events)).toEqual(['pending', 'failed'])
    const [, failed] = events
    const [deposit] = await w.deposits(address)
    expect(failed?.body).toMatchObject({ remediation: 'refunded' })
    expect(failed?.body.forward_tx_hash).toBe(deposit?.settle_tx_hash)
    expect(await w.balance(of.token ?? USDC, address)).toBe(0n)
    const user = userAt(of.user ?? 3).address
    expect(await w.balance(of.token ?? USDC, user)).toBe(before + (of.amount ?? AMOUNT))
    return failed?.body.error
  }

  /** Retained; tried again without events; confirmed under a new id after `mend`. */
  async function expectRetained(of: Came, mend: () => Promise<unknown>) {
    const { events, address } = await came(of)
    expect(kinds(events)).toEqual(['pending', 'failed'])
    const [first, failed] = events
    expect(failed?.body).toMatchObject({ remediation: 'retained' })
    expect(failed?.body).not.toHaveProperty('forward_tx_hash')
    expect(await w.balance(of.token ?? USDC, address)).toBe(of.amount ?? AMOUNT)
    await w.hurry()
    await settle(keeper, 2)
    expect(await w.events(address)).toHaveLength(2)
    await mend()
    await settle(keeper, 2)
    expect(await w.events(address)).toHaveLength(2)
    await w.hurry()
    await settle(keeper, 3)
    const all = await w.events(address)
    expect(kinds(all).slice(0, 3)).toEqual(['pending', 'failed', 'pending'])
    expect(all).toHaveLength(4)
    expect(new Set(all.map(({ body }) => body.deposit_id)).size).toBe(2)
    expect(all[2]?.body.deposit_id).toBe(all[3]?.body.deposit_id)
    expect(all.slice(2).map(({ sequence }) => sequence)).toEqual([1, 2])
    expect(all[2]?.body.deposit_id).not.toBe(first?.body.deposit_id)
    return { error: failed?.body.error, end: all[3] }
  }

  describe('recovered', () => {
    test('behavior: the destination is sanctioned', async () => {
      const user = userAt(4).address
      if (!oracle) throw new Error('the chain has no oracle')
      await w.call(owner, oracle, ['function addToSanctionsList(address[])', [user]])
      expect(await expectRecovered({ user: 4 })).toMatch('sanctioned')
      await w.call(owner, oracle, ['function removeFromSanctionsList(address[])', [user]])
    })

    test('behavior: the token has blacklisted the destination', async () => {
      const user = userAt(4).address
      await w.call(minter, USDC, ['function blacklist(address)', user])
      expect(await expectRecovered({ user: 4 })).toMatch('issuer')
      await w.call(minter, USDC, ['function unBlacklist(address)', user])
    })

    test('behavior: the vault has frozen the destination', async () => {
      const hook = prime.hook ?? '0x'
      const user = userAt(4).address
      await w.call(owner, hook, ['function setFrozen(address,bool)', user, true])
      expect(await expectRecovered({ user: 4, vault: prime.vault, token: USDG })).toMatch('frozen')
      await w.call(owner, hook, ['function setFrozen(address,bool)', user, false])
    })

    test('behavior: its attestation is refused', async () => {
      expect(userAt(9).address).toBe(DEVNET_REFUSED_USER.address)
      expect(await expectRecovered({ user: 9, vault: prime.vault })).toMatch('not attested')
    })
  })

  test('default: with an attestation of the address that deposits', async () => {
    const { events } = await came({ user: 5, vault: prime.vault })
    expect(kinds(events)).toEqual(['pending', 'confirmed'])
  })

  describe('refunded', () => {
    test('behavior: the vault is deprecated', async () => {
      const restore = deprecateVaults(keeper)
      expect(await expectRefunded({})).toMatch('deprecated')
      restore()
    })

    test('behavior: the vault does not take the token', async () => {
      const { teller } = dollar.current
      await w.call(owner, teller, ['function removeDepositAsset(address)', USDT])
      expect(await expectRefunded({ token: USDT })).toMatch('cannot be deposited')
      await w.call(owner, teller, ['function addDepositAsset(address)', USDT])
    })

    test('behavior: there is no room under the cap', async () => {
      const { depositor } = prime.current
      const set = 'function setSupplyCapInBase(uint256)'
      await w.call(owner, depositor, [set, 1n])
      expect(await expectRefunded({ vault: prime.vault, token: USDG })).toMatch('cap')
      await w.call(owner, depositor, [set, parseEther('5000000')])
    })

    test('behavior: the fee would take all of it', async () => {
      const restore = withDearTokens()
      expect(await expectRefunded({ vault: prime.vault, amount: 400_000n })).toMatch('fee')
      restore()
    })

    test('behavior: dust, which mints no share, is worth less than the gas of a refund', async () => {
      const { accountant } = dollar.current
      const rate = await w.client.readContract({
        address: accountant,
        abi: accountantAbi,
        functionName: 'getRate',
      })
      await w.client.increaseTime({ seconds: 60 })
      const update = 'function updateExchangeRate(uint96)'
      await w.call(owner, accountant, [update, (rate * 10_050n) / 10_000n])
      const restore = withTokens(keeper, { smartDepositMinimum: undefined })
      const { events, address } = await came({ amount: 1n })
      restore()
      expect(events.at(-1)?.body).toMatchObject({
        remediation: 'retained',
        error: 'a refund would be worth less than its gas',
      })
      expect(await w.balance(USDC, address)).toBe(1n)
    })
  })

  describe('retained', () => {
    const pause = 'function pause()'
    const unpause = 'function unpause()'

    test('behavior: the vault is paused', async () => {
      const { teller } = dollar.current
      await w.call(owner, teller, [pause])
      const mend = () => w.call(owner, teller, [unpause])
      const { error, end } = await expectRetained({}, mend)
      expect(error).toMatch('paused')
      expect(end?.type).toBe('smart_deposit.deposit.confirmed')
    })

    test('behavior: the keeper has no gas', async () => {
      const { address } = keeperAccount
      await w.client.setBalance({ address, value: 1n })
      const mend = () => w.client.setBalance({ address, value: parseEther('100') })
      const { error } = await expectRetained({}, mend)
      expect(error).toMatch('gas')
    })

    test('behavior: no attestation can be had', async () => {
      const { service } = keeper
      keeper.settings.patienceMs = 0
      keeper.service = { ...service, attestations: null }
      const mend = async () => {
        keeper.service = service
      }
      const { error } = await expectRetained({ user: 5, vault: prime.vault }, mend)
      expect(error).toMatch('attestation')
      keeper.settings.patienceMs = 60_000
    })

    test('behavior: what does not answer for a moment is waited for', async () => {
      const { service } = keeper
      keeper.service = { ...service, attestations: null }
      const { events, address } = await came({ user: 5, vault: prime.vault })
      expect(kinds(events)).toEqual(['pending'])
      keeper.service = service
      await w.hurry()
      await settle(keeper, 2)
      expect(kinds(await w.events(address))).toEqual(['pending', 'confirmed'])
    })

    test('behavior: the factory has no route, and then another depositor', async () => {
      const { factory } = keeper.smartDeposit
      const set = 'function setRoute(address,address,uint8)'
      const { depositor } = dollar.current
      await w.call(owner, factory, [set, dollar.vault, depositor, 0])
      const mend = () => w.call(owner, factory, [set, dollar.vault, depositor, 2])
      const { error } = await expectRetained({}, mend)
      expect(error).toMatch('route')
    })

    test('behavior: a refund that fails, and is made once it can be', async () => {
      customers += 1
      const of = { user: userAt(3), vault: prime.vault, customerId: `c${customers}` }
      const address = await w.register({ ...of, organizationIds: [organizationId] })
      const restore = withDearTokens()
      await w.pay(USDC, address, 400_000n)
      await w.call(minter, USDC, ['function blacklist(address)', address])
      await settle(keeper, 3)
      const events = await w.events(address)
      expect(events.at(-1)?.body).toMatchObject({ remediation: 'retained' })
      expect(events.at(-1)?.body.error).toMatch('refuses to refund')
      await w.call(minter, USDC, ['function unBlacklist(address)', address])
      await w.hurry()
      await settle(keeper, 3)
      const all = await w.events(address)
      expect(all.map(({ body }) => body.remediation)).toEqual([
        undefined,
        'retained',
        undefined,
        'refunded',
      ])
      restore()
    })

    test('behavior: a refund is made only if it is worth more than its gas, or if the operator orders it', async () => {
      const register = (customerId: string) =>
        w.register({ user: userAt(6), customerId, organizationIds: [organizationId] })
      const endsOf = async (of: Address) =>
        (await w.events(of)).flatMap(({ body }) => body.remediation ?? [])
      const address = await register('worthless')
      const restore = deprecateVaults(keeper)
      await w.client.setNextBlockBaseFeePerGas({ baseFeePerGas: parseGwei('250') })
      await w.pay(USDC, address, parseUnits('2', 6))
      await settle(keeper, 1)
      expect((await w.events(address)).at(-1)?.body).toMatchObject({
        remediation: 'retained',
        error: 'a refund would be worth less than its gas',
      })
      const unpriced = await register('unpriced')
      const feedless = withTokens(keeper, { usdFeed: undefined })
      await w.pay(USDC, unpriced, AMOUNT)
      await settle(keeper, 2)
      feedless()
      expect((await w.events(unpriced)).at(-1)?.body.error).toMatch('no price')
      expect(await w.sentFor(unpriced)).toHaveLength(0)

      const latest = (await w.deposits(address)).at(-1)
      await retryDeposits({ sql: w.context.sql, actor: 'test' }, latest?.deposit_id as Hex)
      await settle(keeper, 3)
      expect(await endsOf(address)).toEqual(['retained', 'refunded'])
      await w.client.setNextBlockBaseFeePerGas({ baseFeePerGas: parseGwei('1') })
      await w.mine(1)
      await w.hurry()
      await settle(keeper, 2)
      expect(await endsOf(unpriced)).toEqual(['retained', 'refunded'])
      restore()
    })

    test('behavior: the operator lets a small one be settled, with the others of its address', async () => {
      customers += 1
      const of = { user: userAt(6), customerId: `c${customers}` }
      const address = await w.register({ ...of, organizationIds: [organizationId] })
      // Together less than the minimum, which is 0.01.
      for (const _ of [1, 2]) await w.pay(USDC, address, 4_000n)
      await settle(keeper, 2)
      const administrator = { sql: w.context.sql, actor: 'test' }
      await retryDeposits(administrator, null)
      await settle(keeper, 2)
      expect(await w.sentFor(address)).toHaveLength(0)
      const latest = (await w.deposits(address)).at(-1)
      await retryDeposits(administrator, latest?.deposit_id as Hex)
      await settle(keeper, 3)
      expect(await w.sentFor(address)).toHaveLength(1)
      expect(await w.balance(USDC, address)).toBe(0n)
    })

    test('behavior: the factory is paused', async () => {
      const { factory } = keeper.smartDeposit
      await w.call(owner, factory, ['function pause()'])
      const mend = () => w.call(owner, factory, ['function unpause()'])
      const { error } = await expectRetained({}, mend)
      expect(error).toMatch('EnforcedPause')
    })

    test('behavior: an unknown revert', async () => {
      const { factory } = keeper.smartDeposit
      const set = 'function setKeeper(address,bool)'
      await w.call(owner, factory, [set, keeperAccount.address, false])
      const mend = () => w.call(owner, factory, [set, keeperAccount.address, true])
      const { error } = await expectRetained({}, mend)
      expect(error).toMatch('NotKeeper')
    })
  })

  test('behavior: of several tries in vain each comes later than the one before', async () => {
    const { teller } = dollar.current
    await w.call(owner, teller, ['function pause()'])
    const { address } = await came()
    const waits: number[] = []
    for (let tries = 0; tries < 3; tries += 1) {
      const latest = (await w.deposits(address)).at(-1)
      const retryAt = new Date(String(latest?.retry_at)).getTime()
      waits.push(Math.round((retryAt - Date.now()) / 30_000))
      await w.hurry()
      await settle(keeper, 1)
    }
    expect(waits).toEqual([1, 2, 4])
    await w.call(owner, teller, ['function unpause()'])
  })

  test('behavior: addresses in events are checksummed', async () => {
    const { address, events } = await came()
    expect(events[0]?.body.smart_deposit_address).toBe(getAddress(address))
    expect(lower(String(events[0]?.body.smart_deposit_address) as Address)).toBe(address)
  })
})
