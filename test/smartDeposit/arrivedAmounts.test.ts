import { join } from 'node:path'
import {
  type Address,
  encodeFunctionData,
  erc20Abi,
  keccak256,
  maxUint256,
  parseUnits,
  toHex,
} from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compileContracts } from '../../contracts/compileContracts.ts'
import { userAt } from '../../devnet/accounts.ts'
import { MULTICALL3 } from '../../devnet/plan.ts'
import { returnCall } from '../../domain/smartDeposit/settlementCall.ts'
import { readArrived } from '../../worker/smartDeposit/arrivedAmounts.ts'
import { readHead } from '../../worker/smartDeposit/chainReads.ts'
import { listDeposits } from '../../worker/smartDeposit/depositRows.ts'
import type { Keeper } from '../../worker/smartDeposit/keeper.ts'
import { lower } from '../support/lower.ts'
import {
  dollar,
  type KeeperWorld,
  kinds,
  owner,
  settle,
  startKeptWorld,
  USDC,
  withTokens,
} from './keeperWorld.ts'

const AMOUNT = parseUnits('250', 6)
const root = join(import.meta.dirname, '../..')

describe('payments of which less is there than was sent', () => {
  let w: KeeperWorld
  let keeper: Keeper
  let organizationId: string
  let feeToken: Address

  beforeAll(async () => {
    ;({ w, keeper, organizationId } = await startKeptWorld())
    const { FeeToken } = await compileContracts(join(root, 'test/contracts'))
    if (!FeeToken) throw new Error('FeeToken was not compiled')
    const hash = await w.client.deployContract({ ...FeeToken, account: owner })
    const { contractAddress } = await w.client.waitForTransactionReceipt({ hash })
    feeToken = lower(contractAddress as Address)
    const { teller, accountant } = dollar.current
    await w.call(owner, feeToken, [
      'function mint(address,uint256)',
      userAt(0).address,
      AMOUNT * 9n,
    ])
    await w.call(owner, teller, ['function addDepositAsset(address)', feeToken])
    const setRate = 'function setRateProviderData(address,bool,address)'
    await w.call(owner, accountant, [setRate, feeToken, true, `0x${'0'.repeat(40)}`])
    listFeeToken()
  })
  afterAll(() => w?.stop())

  /** The address book lists it, as dear as a coin: a refund is worth its gas. */
  function listFeeToken() {
    const usdFeed = keeper.chain.transitFill?.nativeUsdFeed
    const { service } = keeper
    const like = service.addressBook.tokens.find(({ address }) => address === lower(USDC))
    if (!like) throw new Error('USDC is listed')
    const tokens = [...service.addressBook.tokens, { ...like, address: feeToken, usdFeed }]
    keeper.service = { ...service, addressBook: { ...service.addressBook, tokens } }
  }

  const register = (customerId: string, token: Address = USDC) =>
    w.register({ user: userAt(6), token, customerId, organizationIds: [organizationId] })

  test('behavior: a token that takes a fee from each transfer: what is there is refunded', async () => {
    const address = await register('eaten', feeToken)
    const before = await w.balance(feeToken, userAt(6).address)
    await w.pay(feeToken, address, AMOUNT)
    await settle(keeper)
    const events = await w.events(address)
    expect(kinds(events)).toEqual(['pending', 'failed'])
    expect(events.at(-1)?.body).toMatchObject({
      remediation: 'refunded',
      error: 'the vault refuses it: TRANSFER_FROM_FAILED',
      received_amount: String(AMOUNT),
    })
    expect(await w.balance(feeToken, address)).toBe(0n)
    const arrived = (AMOUNT * 99n) / 100n
    const got = (await w.balance(feeToken, userAt(6).address)) - before
    expect(got).toBe(arrived - arrived / 100n)
  })

  test('behavior: two such payments, and both are sent back', async () => {
    const address = await register('eaten-twice', feeToken)
    for (const _ of [1, 2]) await w.pay(feeToken, address, AMOUNT)
    await settle(keeper, 6)
    await w.hurry()
    await settle(keeper, 6)
    const ends = (await w.events(address)).flatMap(({ body }) => body.remediation ?? [])
    expect(ends.filter((end) => end === 'refunded')).toHaveLength(2)
    expect(await w.balance(feeToken, address)).toBe(0n)
  })

  test('behavior: small ones of it are sent back together, each with its part', async () => {
    const restore = withTokens(keeper, { smartDepositMinimum: String(AMOUNT * 2n) })
    const address = await register('eaten-together', feeToken)
    // The part of the last one, which is dust, is nothing.
    for (const amount of [AMOUNT + 1n, AMOUNT + 2n, 1n]) await w.pay(feeToken, address, amount)
    await settle(keeper, 6)
    restore()
    expect(await w.sentFor(address)).toHaveLength(1)
    expect(await w.balance(feeToken, address)).toBe(0n)
    const parts = await w.context.sql<{ amount: string }[]>`
      select arrived_amount as amount from app.smart_deposit
      where address = ${address} and remediation = 'refunded'`
    expect(parts.map(({ amount }) => amount === '0')).toContain(true)
    expect(parts).toHaveLength(3)
    const [logged] = await w.context.sql<{ amount: string }[]>`
      select sum(received_amount) as amount from app.smart_deposit
      where address = ${address} and remediation = 'refunded'`
    const total = parts.reduce((sum, { amount }) => sum + BigInt(amount), 0n)
    expect(total).toBeLessThan(BigInt(logged?.amount ?? 0))
  })

  test('behavior: a part was moved away by hand: the rest goes into the vault', async () => {
    const address = await register('moved')
    const { accounts } = keeper
    keeper.accounts = []
    await w.pay(USDC, address, AMOUNT)
    await settle(keeper, 1)
    const [deposit] = await listDeposits(w.context.sql, w.context.sql`d.address = ${address}`)
    if (!deposit) throw new Error('the payment is recorded')
    const payment = keccak256(toHex('by hand'))
    const { to, data } = returnCall('refund', deposit, { payment, token: USDC, amount: 1_000_000n })
    await w.send(owner, to, data)
    keeper.accounts = accounts
    const shares = await w.balance(dollar.vault, userAt(6).address)
    await settle(keeper)
    const events = await w.events(address)
    expect(kinds(events)).toEqual(['pending', 'confirmed'])
    expect(await w.balance(USDC, address)).toBe(0n)
    const minted = (await w.balance(dollar.vault, userAt(6).address)) - shares
    expect(events.at(-1)?.body).toMatchObject({
      received_amount: String(AMOUNT),
      minted_amount: String(minted),
    })
  })

  test('behavior: a node that lags behind a payment makes no other one short', async () => {
    const address = await register('lagging')
    const { accounts } = keeper
    keeper.accounts = []
    await w.pay(USDC, address, AMOUNT)
    const { number } = await w.client.getBlock()
    await w.mine(2)
    await w.pay(USDC, address, AMOUNT)
    await settle(keeper, 1)
    keeper.accounts = accounts
    const [first] = await listDeposits(w.context.sql, w.context.sql`d.address = ${address}`)
    if (!first) throw new Error('the payment is recorded')
    const lagging = await w.client.getBlock({ blockNumber: number })
    const head = { ...lagging, number: Number(number) }
    const arrived = await readArrived(keeper, { deposit: first, members: [] }, head)
    expect(arrived).toEqual({ kind: 'unclear' })
    await settle(keeper)
    expect(kinds(await w.events(address)).filter((kind) => kind === 'confirmed')).toHaveLength(2)
  })

  test('behavior: all of it was moved away: it is retained, and says so', async () => {
    const address = await register('gone')
    const { accounts } = keeper
    keeper.accounts = []
    await w.pay(USDC, address, AMOUNT)
    await settle(keeper, 1)
    const [deposit] = await listDeposits(w.context.sql, w.context.sql`d.address = ${address}`)
    if (!deposit) throw new Error('the payment is recorded')
    const payment = keccak256(toHex('all by hand'))
    const { to, data } = returnCall('refund', deposit, { payment, token: USDC, amount: AMOUNT })
    await w.send(owner, to, data)
    keeper.accounts = accounts
    await settle(keeper)
    const events = await w.events(address)
    expect(kinds(events)).toEqual(['pending', 'failed'])
    expect(events.at(-1)?.body).toMatchObject({
      remediation: 'retained',
      error: 'nothing of it is at its address',
    })
  })

  test('behavior: a crowd of it in one transaction is judged by few reads of the chain', async () => {
    const address = await register('eaten-crowd', feeToken)
    const payer = userAt(0)
    await w.call(payer, feeToken, ['function approve(address,uint256)', MULTICALL3, maxUint256])
    const callData = encodeFunctionData({
      abi: erc20Abi,
      functionName: 'transferFrom',
      args: [payer.address, address, 1_000n],
    })
    const crowd = Array.from({ length: 30 }, () => [feeToken, false, callData])
    const { accounts, service } = keeper
    keeper.accounts = []
    await w.call(payer, MULTICALL3, ['function aggregate3((address,bool,bytes)[])', crowd])
    await settle(keeper, 1)
    keeper.accounts = accounts
    const [first, ...others] = await listDeposits(
      w.context.sql,
      w.context.sql`d.address = ${address}`,
    )
    if (!first) throw new Error('the payment is recorded')
    let reads = 0
    const chains: typeof service.chains = {
      ...service.chains,
      read(chainId, run) {
        reads += 1
        return service.chains.read(chainId, run)
      },
    }
    const counted = { ...keeper, service: { ...service, chains } }
    const head = await readHead(keeper)
    const arrived = await readArrived(counted, { deposit: first, members: [] }, head)
    expect([others.length, arrived.kind]).toEqual([29, 'short'])
    expect(reads).toBeLessThan(6)
  })
})
