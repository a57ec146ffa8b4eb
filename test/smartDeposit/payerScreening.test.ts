import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Address, encodeFunctionData, parseAbi, parseUnits } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { DEVNET_ACTORS, userAt } from '../../devnet/accounts.ts'
import { listKeeperStates } from '../../domain/health/keeperStates.ts'
import { settleForeignTransfer } from '../../domain/smartDeposit/foreignTransfers.ts'
import { httpPayerScreening } from '../../domain/smartDeposit/payerScreening.ts'
import type { Keeper } from '../../worker/smartDeposit/keeper.ts'
import { lower } from '../support/lower.ts'
import {
  dollar,
  type KeeperWorld,
  kinds,
  settle,
  startKeptWorld,
  USDC,
  USDP,
} from './keeperWorld.ts'

const AMOUNT = parseUnits('250', 6)
/** Less than half of the minimum, which is 0.01. */
const SMALL = 4_000n
const { deployer: minter, recoveryWallet } = DEVNET_ACTORS
const user = userAt(3)
const [honest, thief, other] = [userAt(0), userAt(1), userAt(2)]
const LISTED = (account: Address) => `${lower(account)} is on the local list`
let customers = 0

describe('screening of payers', () => {
  let w: KeeperWorld
  let keeper: Keeper
  let organizationId: string

  beforeAll(async () => {
    ;({ w, keeper, organizationId } = await startKeptWorld())
  })
  afterAll(() => w?.stop())
  beforeEach(() => w.refusePayer(thief.address))

  function newAddress() {
    customers += 1
    const customerId = `p${customers}`
    return w.register({ user, vault: dollar.vault, customerId, organizationIds: [organizationId] })
  }

  async function endOf(address: Address) {
    const events = await w.events(address)
    return { kinds: kinds(events), ...events.at(-1)?.body }
  }

  const recovered = (account: Address) => ({
    kinds: ['pending', 'failed'],
    remediation: 'recovered',
    error: `its payer is refused: ${LISTED(account)}`,
    reason: LISTED(account),
  })

  /** From now on the keeper asks this provider, until the test ends. Returns the questions. */
  async function ask(reply: (question: Question) => unknown) {
    const questions: Question[] = []
    const server = createServer(async (request, response) => {
      const question = await bodyOf(request)
      questions.push(question)
      const answer = reply(question)
      if (answer !== null) response.end(JSON.stringify(answer))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const before = keeper.payerScreening
    const { port } = server.address() as AddressInfo
    keeper.payerScreening = httpPayerScreening(`http://127.0.0.1:${port}/`, '')
    onTestFinished(() => {
      keeper.payerScreening = before
      server.closeAllConnections()
      server.close()
    })
    return questions
  }

  test('behavior: what a refused payer sent is recovered, with the reason', async () => {
    const address = await newAddress()
    const before = await w.balance(USDC, recoveryWallet.address)
    await w.pay(USDC, address, AMOUNT, thief)
    await settle(keeper, 3)
    const end = await endOf(address)
    expect(end).toMatchObject(recovered(thief.address))
    expect(end).toHaveProperty('recovery_tx_hash')
    expect((await w.balance(USDC, recoveryWallet.address)) - before).toBe(AMOUNT)
    // The others of the same address go on.
    await w.pay(USDC, address, AMOUNT, honest)
    await settle(keeper, 3)
    expect((await endOf(address)).kinds).toEqual(['pending', 'failed', 'pending', 'confirmed'])
  })

  test('behavior: the provider is told who paid, and who sent the transaction', async () => {
    const questions = await ask(() => ({ is_allowed: true }))
    const address = await newAddress()
    await w.call(honest, USDC, ['function approve(address,uint256)', other.address, AMOUNT])
    const spend = ['function transferFrom(address,address,uint256)'] as const
    await w.call(other, USDC, [...spend, honest.address, address, AMOUNT])
    const { transactionHash: minted } = await w.send(
      minter,
      USDC,
      encodeFunctionData({
        abi: parseAbi(['function mint(address[],uint256)']),
        args: [[address], AMOUNT],
      }),
    )
    await settle(keeper, 3)
    const asked = { chain_id: '1', token: USDC.toLowerCase(), amount: String(AMOUNT) }
    const to = { ...asked, smart_deposit_address: address }
    expect(questions).toHaveLength(2)
    // Both are asked about at once.
    const by = (payer: Address) => questions.find((one) => one.payer === lower(payer))
    expect(by(honest.address)).toMatchObject({ ...to, transaction_sender: lower(other.address) })
    // New tokens come from nobody: their payer is who had them made.
    expect(by(minter.address)).toMatchObject({ ...to, transaction_hash: minted })
  })

  test('behavior: while the provider is silent about a crowd, they wait visibly, and others go on', async () => {
    let isSilent = true
    await ask(({ payer }) => (isSilent && payer === lower(thief.address) ? null : PASS))
    const crowd: Address[] = []
    for (let count = 0; count < 17; count += 1) {
      const address = await newAddress()
      crowd.push(address)
      await w.pay(USDC, address, AMOUNT, thief)
    }
    await settle(keeper, 2)
    const address = await newAddress()
    await w.pay(USDC, address, AMOUNT, honest)
    await settle(keeper, 3)
    expect((await endOf(address)).kinds).toEqual(['pending', 'confirmed'])
    const state = async () => (await listKeeperStates(w.context)).find((one) => one.chainId === 1)
    expect(await state()).toMatchObject({ unscreenedPaymentCount: 17 })
    for (const one of crowd) expect((await endOf(one)).kinds).toEqual(['pending'])

    isSilent = false
    await w.hurry()
    await settle(keeper, 8)
    for (const one of crowd)
      expect((await endOf(one)).kinds.slice(0, 2)).toEqual(['pending', 'confirmed'])
    expect(await state()).toMatchObject({ unscreenedPaymentCount: 0 })
  }, 60_000)

  test('behavior: silence that lasts retains it, and it is settled when the provider answers', async () => {
    let isSilent = true
    await ask(() => (isSilent ? 'no answer' : PASS))
    const { settings } = keeper
    keeper.settings = { ...settings, patienceMs: 0 }
    onTestFinished(() => {
      keeper.settings = settings
    })
    const address = await newAddress()
    await w.pay(USDC, address, AMOUNT)
    await settle(keeper, 2)
    const why = 'the screening provider gives no answer'
    expect(await endOf(address)).toMatchObject({ remediation: 'retained', error: why })
    isSilent = false
    await w.hurry()
    await settle(keeper, 3)
    expect((await endOf(address)).kinds).toEqual(['pending', 'failed', 'pending', 'confirmed'])
  })

  test('behavior: small payments of refused payers are settled apart from the others', async () => {
    const address = await newAddress()
    for (const payer of [thief, honest, thief, honest]) await w.pay(USDC, address, SMALL, payer)
    await settle(keeper, 3)
    await w.pay(USDC, address, SMALL, honest)
    await w.pay(USDC, address, SMALL, thief)
    await settle(keeper, 6)
    const ends = (await w.events(address)).flatMap(({ type, body }) =>
      type.endsWith('confirmed') || body.remediation === 'recovered' ? [body.reason ?? 'in'] : [],
    )
    expect(ends.toSorted()).toEqual([...Array(3).fill(LISTED(thief.address)), 'in', 'in', 'in'])
    expect(await w.balance(USDC, address)).toBe(0n)
    expect(await w.sentFor(address)).toHaveLength(2)
  })

  test('behavior: a recovery that a reorganisation removed is sent again, with its reason', async () => {
    const address = await newAddress()
    await w.pay(USDC, address, AMOUNT, thief)
    const mark = await w.client.snapshot()
    await w.mine(3)
    await settle(keeper, 3)
    await w.client.revert({ id: mark })
    await settle(keeper, 1)
    await w.mine(10)
    await settle(keeper, 4)
    const kept = recovered(thief.address)
    expect(await endOf(address)).toMatchObject({
      ...kept,
      kinds: [...kept.kinds, 'reverted', 'failed'],
    })
  })

  test('behavior: a payment that comes back after a reorganisation is asked about again', async () => {
    const address = await newAddress()
    const mark = await w.client.snapshot()
    const pay = () => w.pay(USDC, address, AMOUNT, thief)
    const { accounts } = keeper
    keeper.accounts = []
    await pay()
    await settle(keeper, 1)
    const questions = await ask(() => ({ is_allowed: false, reason: 'seen before' }))
    await w.client.revert({ id: mark })
    await w.mine(3)
    await settle(keeper, 1)
    expect(questions).toEqual([])
    await pay()
    keeper.accounts = accounts
    await settle(keeper, 4)
    expect(await endOf(address)).toMatchObject({
      kinds: ['pending', 'reverted', 'pending', 'failed'],
      reason: 'seen before',
    })
    expect(questions).toHaveLength(1)
  })

  test('behavior: another token that an operator refunds is recovered if its payer is refused', async () => {
    const address = await newAddress()
    await w.pay(USDP, address, 5n, thief)
    await settle(keeper, 2)
    const { sql } = w.context
    const [row] = await sql<{ id: string }[]>`
      select payment_id as id from app.foreign_transfer where address = ${address}`
    const paymentId = row?.id ?? ''
    await settleForeignTransfer({ sql, actor: 'test' }, { paymentId, wanted: 'refund' })
    const before = await w.balance(USDP, recoveryWallet.address)
    await settle(keeper, 3)
    expect((await w.balance(USDP, recoveryWallet.address)) - before).toBe(5n)
    const ended =
      await sql`select wanted, error from app.foreign_transfer where payment_id = ${paymentId}`
    expect(ended).toEqual([
      { wanted: 'recover', error: `its payer is refused: ${LISTED(thief.address)}` },
    ])
  })
})

type Question = Record<string, string | null>
const PASS = { is_allowed: true }

async function bodyOf(request: IncomingMessage): Promise<Question> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return JSON.parse(Buffer.concat(chunks).toString())
}
