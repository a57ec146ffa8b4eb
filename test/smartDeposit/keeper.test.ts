import {
  type Address,
  encodeFunctionData,
  erc20Abi,
  getAddress,
  type Hex,
  keccak256,
  pad,
  parseEventLogs,
  parseUnits,
} from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { depositorAbi } from '../../abis/depositor.ts'
import { userAt } from '../../devnet/accounts.ts'
import { MULTICALL3 } from '../../devnet/plan.ts'
import { DEPOSIT_FORMS as FORMS } from '../../domain/smartDeposit/depositForm.ts'
import { returnCall } from '../../domain/smartDeposit/settlementCall.ts'
import { LeaseLostError } from '../../worker/smartDeposit/chainLeases.ts'
import { listDeposits } from '../../worker/smartDeposit/depositRows.ts'
import type { Keeper } from '../../worker/smartDeposit/keeper.ts'
import { lower } from '../support/lower.ts'
import {
  dollar,
  FINALITY,
  type KeeperWorld,
  keeperAccount,
  kinds,
  owner,
  settle,
  startKeptWorld,
  USDC,
  USDG,
} from './keeperWorld.ts'
import { deploySecondDepositor } from './secondDepositor.ts'

const AMOUNT = parseUnits('250', 6)

describe('the keeper of smart deposits', () => {
  let w: KeeperWorld
  let keeper: Keeper
  let organizationId: string

  beforeAll(async () => {
    ;({ w, keeper, organizationId } = await startKeptWorld())
  })
  afterAll(() => w?.stop())

  test('default: pending, confirmed and finalized, every field, shares to the unit', async () => {
    const user = userAt(3)
    const address = await w.register({ user, organizationIds: [organizationId], customerId: 'c-1' })
    const before = await w.balance(dollar.vault, user.address)
    const paid = await w.pay(USDC, address, AMOUNT)
    await settle(keeper)
    const shares = (await w.balance(dollar.vault, user.address)) - before
    expect(shares).toBeGreaterThan(0n)
    await w.mine(FINALITY)
    await settle(keeper, 1)
    const events = await w.events(address)
    const [deposit] = await w.deposits(address)
    const settled = await w.client.getTransactionReceipt({
      hash: deposit?.settle_tx_hash as `0x${string}`,
    })
    const common = {
      version: 'v2',
      deposit_id: deposit?.deposit_id,
      customer_id: 'c-1',
      chain_id: '1',
      chain_name: 'Ethereum',
      organization_id: organizationId,
      smart_deposit_address: getAddress(address),
      user_destination_address: user.address,
      distributor_code_depositor_address: getAddress(dollar.current.depositor),
      vault_address: getAddress(dollar.vault),
      input_token_symbol: 'USDC',
      input_token_address: getAddress(USDC),
      input_token_decimals: 6,
      received_amount: String(AMOUNT),
      receipt_tx_hash: paid.transactionHash,
      receipt_tx_block_hash: paid.blockHash,
    }
    const forwarded = {
      minted_amount: String(shares),
      forward_tx_hash: settled.transactionHash,
      forward_tx_block_hash: settled.blockHash,
    }
    const stamp = { id: expect.any(String), timestamp: expect.any(String) }
    const type = (kind: string) => `smart_deposit.deposit.${kind}`
    expect(events.map(({ body }) => body)).toEqual([
      { ...stamp, ...common, type: type('pending'), sequence: 1 },
      { ...stamp, ...common, ...forwarded, type: type('confirmed'), sequence: 2 },
      { ...stamp, ...common, ...forwarded, type: type('finalized'), sequence: 3 },
    ])
    expect(deposit).toMatchObject({ status: 'finalized', is_final: true, attempt: 1 })
    expect(lower(settled.from)).toBe(lower(keeperAccount.address))
  })

  const ids = () => [organizationId]
  const register = (customerId: string) =>
    w.register({ user: userAt(6), customerId, organizationIds: ids() })

  test('behavior: a transfer has no event until it has the required depth', async () => {
    const { smartDeposit } = keeper
    const of = { user: userAt(4), customerId: 'deep', organizationIds: ids() }
    const address = await w.register(of)
    keeper.smartDeposit = { ...smartDeposit, pendingDepth: 2 }
    await w.pay(USDC, address, AMOUNT)
    await w.mine(1)
    await settle(keeper, 2)
    expect(await w.events(address)).toEqual([])
    await w.mine(1)
    await settle(keeper)
    expect(kinds(await w.events(address))).toEqual(['pending', 'confirmed'])
    keeper.smartDeposit = smartDeposit
  })

  test('behavior: two customers of one user are two addresses, each with its own deposits', async () => {
    const user = userAt(4)
    const addresses = await Promise.all(
      ['a', 'b'].map((customerId) => w.register({ user, customerId, organizationIds: ids() })),
    )
    for (const address of addresses) await w.pay(USDC, address, AMOUNT)
    await settle(keeper)
    for (const [index, address] of addresses.entries()) {
      const events = await w.events(address)
      expect(kinds(events)).toEqual(['pending', 'confirmed'])
      expect(events.every(({ body }) => body.customer_id === ['a', 'b'][index])).toBe(true)
    }
  })

  test('behavior: each organization of an address has its own events of one deposit', async () => {
    const other = await w.organization('two')
    const late = await w.organization('three')
    const of = { user: userAt(4), organizationIds: [organizationId, other] }
    const address = await w.register(of)
    await w.pay(USDC, address, AMOUNT)
    await settle(keeper)
    // An endpoint that is added after the confirmation gets the deposit's events from the first.
    await w.register({ ...of, organizationIds: [late] })
    await w.mine(FINALITY)
    await settle(keeper, 1)
    const events = await w.events(address)
    for (const id of [organizationId, other, late]) {
      const own = events.filter(({ organizationId }) => organizationId === id)
      expect(kinds(own)).toEqual(['pending', 'confirmed', 'finalized'])
      expect(own.map(({ sequence }) => sequence)).toEqual([1, 2, 3])
      expect(own.every(({ body }) => body.organization_id === id)).toBe(true)
      expect(own.every(({ body }) => !('customer_id' in body))).toBe(true)
    }
    expect(new Set(events.map(({ body }) => body.deposit_id)).size).toBe(1)
    expect(new Set(events.map(({ body }) => body.id)).size).toBe(9)
  })

  test('behavior: deposits carry the code of the organization that registered the address first', async () => {
    const codes = ['0x11', '0x22'].map((code) => pad(code as Hex))
    const [first = '', second = ''] = await Promise.all(
      codes.map((code, index) => w.organization(`code ${index}`, code)),
    )
    const of = { user: userAt(4), token: USDG }
    const address = await w.register({ ...of, organizationIds: [first] })
    await w.register({ ...of, organizationIds: [second] })
    await w.pay(USDG, address, AMOUNT)
    await settle(keeper)
    expect(await distributorCodeOf(address)).toBe(keccak256(codes[0] ?? '0x'))
  })

  test('behavior: two organizations with a customer of the same name: each has its own address, code and events', async () => {
    const codes = ['0x33', '0x44'].map((code) => pad(code as Hex))
    for (const [index, code] of codes.entries()) {
      const organizationId = await w.organization(`same name ${index}`, code)
      const of = { user: userAt(4), customerId: 'same-name', organizationId }
      const address = await w.register({ ...of, organizationIds: [organizationId] })
      await w.pay(USDC, address, AMOUNT)
      await settle(keeper)
      expect(await distributorCodeOf(address)).toBe(keccak256(code))
      const events = await w.events(address)
      expect(kinds(events)).toEqual(['pending', 'confirmed'])
      expect(events.every((event) => event.organizationId === organizationId)).toBe(true)
    }
  })

  /** The hash of the code in the forward of an address's only deposit. */
  async function distributorCodeOf(address: Address) {
    const [deposit] = await w.deposits(address)
    const { logs } = await w.client.getTransactionReceipt({ hash: deposit?.settle_tx_hash as Hex })
    const [event] = parseEventLogs({
      abi: depositorAbi,
      eventName: 'DepositWithDistributorCode',
      logs,
    })
    return event?.args.distributorCode
  }

  test('behavior: whatever the vault is deposited through, the address stays', async () => {
    const { factory } = keeper.smartDeposit
    const set = 'function setRoute(address,address,uint8)'
    const of = { user: userAt(4), customerId: 'route', organizationId, organizationIds: ids() }
    const address = await w.register(of)
    const second = await deploySecondDepositor(w, dollar)
    await w.call(owner, factory, [set, dollar.vault, second.address, FORMS.ATTESTED])
    const before = await w.balance(dollar.vault, userAt(4).address)
    await w.pay(USDC, address, AMOUNT)
    await settle(keeper, 2)
    // The new depositor has no rights yet, so the deposit stays at its address.
    expect((await w.events(address)).at(-1)?.body).toMatchObject({ remediation: 'retained' })
    await second.grant()
    await w.hurry()
    await settle(keeper)
    const events = (await w.events(address)).at(-1)
    expect(events?.body).toMatchObject({
      type: 'smart_deposit.deposit.confirmed',
      distributor_code_depositor_address: getAddress(second.address),
    })
    // The second attempt names the first in both of its events, and the first names none.
    const all = await w.events(address)
    const first = all[0]?.body.deposit_id
    expect(all.map(({ body }) => [body.type, body.retry_of])).toEqual([
      ['smart_deposit.deposit.pending', undefined],
      ['smart_deposit.deposit.failed', undefined],
      ['smart_deposit.deposit.pending', first],
      ['smart_deposit.deposit.confirmed', first],
    ])
    const shares = (await w.balance(dollar.vault, userAt(4).address)) - before
    expect(events?.body.minted_amount).toBe(String(shares))
    expect(await w.register({ ...of, organizationIds: [] })).toBe(address)
    await w.call(owner, factory, [set, dollar.vault, dollar.current.depositor, FORMS.ATTESTED])
    await w.pay(USDC, address, AMOUNT)
    await settle(keeper)
    const next = (await w.events(address)).at(-1)
    expect(next?.body).toMatchObject({
      type: 'smart_deposit.deposit.confirmed',
      distributor_code_depositor_address: getAddress(dollar.current.depositor),
    })
  })

  test('behavior: two in one block, and two in one transaction, are deposits of their own', async () => {
    const address = await w.register({ user: userAt(5), organizationIds: ids() })
    const before = await w.balance(dollar.vault, userAt(5).address)
    await w.client.setAutomine(false)
    const sent = [1n, 2n].map((part) =>
      w.client.sendTransaction({
        account: userAt(Number(part)),
        to: USDC,
        gas: 200_000n,
        data: encodeFunctionData({
          abi: erc20Abi,
          functionName: 'transfer',
          args: [address, AMOUNT + part],
        }),
      }),
    )
    await Promise.all(sent)
    await w.mine(1)
    await w.client.setAutomine(true)
    const parts = [3n, 4n].map((part) => ({
      target: USDC,
      allowFailure: false,
      callData: encodeFunctionData({
        abi: erc20Abi,
        functionName: 'transferFrom',
        args: [userAt(0).address, address, AMOUNT + part],
      }),
    }))
    await w.call(userAt(0), USDC, ['function approve(address,uint256)', MULTICALL3, AMOUNT * 3n])
    const aggregate =
      'function aggregate3((address target, bool allowFailure, bytes callData)[] calls) payable'
    await w.call(userAt(0), MULTICALL3, [aggregate, parts])
    await settle(keeper)
    const deposits = await w.deposits(address)
    expect(
      deposits.map(({ received_amount: amount }) => BigInt(String(amount)) - AMOUNT).sort(),
    ).toEqual([1n, 2n, 3n, 4n])
    expect(deposits.map(({ status }) => status)).toEqual(Array(4).fill('confirmed'))
    const minted = deposits.reduce((sum, { minted_amount: one }) => sum + BigInt(String(one)), 0n)
    expect((await w.balance(dollar.vault, userAt(5).address)) - before).toBe(minted)
  })

  test('behavior: a transfer of nothing is none, and another token is kept apart', async () => {
    const of = { user: userAt(6), customerId: 'foreign', organizationIds: ids() }
    const address = await w.register(of)
    await w.pay(USDC, address, 0n)
    await w.pay(USDG, address, AMOUNT)
    await settle(keeper)
    expect(await w.events(address)).toEqual([])
    const [foreign] = await w.context.sql`
      select * from app.foreign_transfer where address = ${address}`
    expect(foreign).toMatchObject({ token: lower(USDG), amount: String(AMOUNT), wanted: null })
    const before = await w.balance(USDG, userAt(6).address)
    await w.context.sql`
      update app.foreign_transfer set wanted = 'refund' where address = ${address}`
    await settle(keeper)
    expect((await w.balance(USDG, userAt(6).address)) - before).toBe(AMOUNT)
    const [settled] = await w.context.sql`
      select settle_tx_hash as hash, error from app.foreign_transfer where address = ${address}`
    expect(settled).toMatchObject({ hash: expect.stringMatching(/^0x/), error: null })
  })

  test('behavior: what came before its address was registered is found by its balance', async () => {
    const of = { user: userAt(6), customerId: 'early', organizationId }
    const address = await w.addressOf(of)
    await w.pay(USDC, address, AMOUNT)
    await w.mine(3)
    await settle(keeper, 1)
    await w.register({ ...of, organizationIds: ids() })
    await settle(keeper)
    expect(kinds(await w.events(address))).toEqual(['pending', 'confirmed'])
  })

  test('behavior: what the logs did not show is found by the sweep, however often', async () => {
    const address = await register('missed')
    await settle(keeper, 1)
    const sweep = async () => {
      keeper.memory.sweep.nextAt = 0
      await settle(keeper)
    }
    const confirmed = async () =>
      kinds(await w.events(address)).filter((kind) => kind === 'confirmed').length
    for (let times = 1; times <= 5; times += 1) {
      await w.pay(USDC, address, AMOUNT)
      const head = await w.client.getBlock()
      await w.context.sql`
        update app.keeper_chain set block_number = ${String(head.number)}, block_hash = ${head.hash}`
      await settle(keeper, 2)
      expect(await confirmed()).toBe(times - 1)
      await sweep()
      expect(await confirmed()).toBe(times)
      await sweep()
    }
  })

  test('behavior: balances are looked at again within a minute', async () => {
    await register('each-minute')
    keeper.memory.sweep.nextAt = 0
    await settle(keeper, 1)
    const waitMs = keeper.memory.sweep.nextAt - Date.now()
    expect(waitMs).toBeGreaterThan(0)
    expect(waitMs).toBeLessThanOrEqual(60_000)
  })

  test('behavior: of many addresses all transfers of the chain are read, and those to others are left out', async () => {
    const { fewAddresses } = keeper.settings
    keeper.settings.fewAddresses = 0
    const address = await register('many')
    await w.pay(USDC, address, AMOUNT)
    await w.pay(USDG, address, AMOUNT)
    await w.pay(USDC, userAt(8).address, AMOUNT)
    await settle(keeper)
    expect(kinds(await w.events(address))).toEqual(['pending', 'confirmed'])
    const foreign = await w.context.sql`
      select 1 from app.foreign_transfer where address = ${address}`
    expect(foreign).toHaveLength(1)
    keeper.settings.fewAddresses = fewAddresses
  })

  test('behavior: a transaction that is stuck is replaced by one that pays more', async () => {
    const address = await register('stuck')
    await w.pay(USDC, address, AMOUNT)
    await w.client.setAutomine(false)
    const { stuckMs } = keeper.settings
    await settle(keeper, 1)
    keeper.settings.stuckMs = 0
    await settle(keeper, 1)
    keeper.settings.stuckMs = stuckMs
    await w.mine(1)
    await w.client.setAutomine(true)
    await settle(keeper, 2)
    expect(kinds(await w.events(address))).toEqual(['pending', 'confirmed'])
    const [deposit] = await w.deposits(address)
    const signed = await w.context.sql<{ hash: Hex; fee: string; priority: string }[]>`
      select t.hash, t.max_fee as fee, t.priority_fee as priority
      from app.keeper_transaction t join app.keeper_part p using (chain_id, keeper, nonce)
      where p.deposit_id = ${String(deposit?.deposit_id)} order by t.max_fee`
    expect(signed).toHaveLength(2)
    expect(signed[1]?.hash).toBe(deposit?.settle_tx_hash)
    expect(BigInt(signed[1]?.fee ?? 0)).toBeGreaterThan((BigInt(signed[0]?.fee ?? 0) * 11n) / 10n)
  })

  test('behavior: a payment whose nonce somebody else used is sent with another', async () => {
    const address = await register('other-user-of-key')
    await w.pay(USDC, address, AMOUNT)
    await w.client.setAutomine(false)
    await settle(keeper, 1)
    const [signed] = await w.context.sql<{ hash: Hex; nonce: bigint }[]>`
      select t.hash, t.nonce from app.keeper_transaction t
      join app.keeper_part p using (chain_id, keeper, nonce)
      join app.smart_deposit d using (deposit_id) where d.address = ${address}`
    await w.client.dropTransaction({ hash: signed?.hash ?? '0x' })
    await w.client.setAutomine(true)
    const account = keeperAccount
    await w.client.sendTransaction({ account, to: account.address, nonce: Number(signed?.nonce) })
    await w.mine(FINALITY + 1)
    await settle(keeper, 1)
    expect(kinds(await w.events(address))).toEqual(['pending'])
    const { lostMs } = keeper.settings
    keeper.settings.lostMs = 0
    await settle(keeper, 3)
    keeper.settings.lostMs = lostMs
    expect(kinds(await w.events(address))).toEqual(['pending', 'confirmed'])
  })

  test('behavior: a payment settled by another sender is found on the chain', async () => {
    const address = await register('owner')
    const { accounts } = keeper
    keeper.accounts = []
    await w.pay(USDC, address, AMOUNT)
    await settle(keeper, 1)
    const [deposit] = await listDeposits(w.context.sql, w.context.sql`d.address = ${address}`)
    if (!deposit) throw new Error('no deposit')
    const { paymentId: payment, receivedAmount: amount } = deposit
    const { to, data } = returnCall('refund', deposit, { payment, token: USDC, amount })
    const sent = await w.send(owner, to, data)
    keeper.accounts = accounts
    await settle(keeper, 2)
    expect((await w.events(address)).at(-1)?.body).toMatchObject({
      remediation: 'refunded',
      forward_tx_hash: sent.transactionHash,
    })
  })

  test('error: a worker whose chain another has taken over writes nothing more', async () => {
    const address = await w.register({ user: userAt(7), organizationIds: ids() })
    await w.pay(USDC, address, AMOUNT)
    const before = keeper
    keeper = await w.takeOver()
    await expect(settle(before, 1)).rejects.toThrow(LeaseLostError)
    expect(await w.events(address)).toEqual([])
    await settle(keeper)
    expect(kinds(await w.events(address))).toEqual(['pending', 'confirmed'])
  })
})
