import { setTimeout as sleep } from 'node:timers/promises'
import { type Address, encodeFunctionData, erc20Abi, type Hex, numberToHex, parseUnits } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { userAt } from '../../devnet/accounts.ts'
import { MULTICALL3 } from '../../devnet/plan.ts'
import { reorganise } from '../../devnet/reorganise.ts'
import { createChainClients } from '../../domain/chain/chainClients.ts'
import { checkHealth } from '../../domain/health/checkHealth.ts'
import { listKeepers } from '../../domain/smartDeposit/keeperList.ts'
import {
  listUnexplainedBalances,
  listUnplacedTransfers,
  lookAgain,
} from '../../domain/smartDeposit/missedPayments.ts'
import { returnCall } from '../../domain/smartDeposit/settlementCall.ts'
import { startMetrics } from '../../processes/metrics/startMetrics.ts'
import { listDeposits } from '../../worker/smartDeposit/depositRows.ts'
import type { Keeper } from '../../worker/smartDeposit/keeper.ts'
import { retryingChains } from '../../worker/smartDeposit/retryingChains.ts'
import { PartlyFailedError } from '../../worker/smartDeposit/runApart.ts'
import { lower } from '../support/lower.ts'
import { type Lie, type LyingNode, startLyingNode } from '../support/lyingNode.ts'
import {
  CHAIN_ID,
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

const AMOUNT = parseUnits('250', 6)

describe('the keeper and nodes that say what is not so', () => {
  let w: KeeperWorld
  let keeper: Keeper
  let node: LyingNode
  let organizationId: string

  beforeAll(async () => {
    ;({ w, keeper, organizationId } = await startKeptWorld())
    node = await startLyingNode(w.world.rpcUrls[CHAIN_ID] ?? '')
    askOnly([node.rpcUrl])
  })
  afterEach(() => {
    node.lie()
    askOnly([node.rpcUrl])
  })
  afterAll(async () => {
    await node?.stop()
    await w?.stop()
  })

  /** From now on the keeper has these nodes. */
  function askOnly(rpcUrls: string[], of = keeper) {
    const chains = createChainClients([{ chainId: CHAIN_ID, rpcUrls }], w.addressBook)
    of.service = { ...of.service, chains: retryingChains(chains) }
  }

  const register = (customerId: string) =>
    w.register({ user: userAt(6), customerId, organizationIds: [organizationId] })
  const administrator = () => ({ sql: w.context.sql, actor: 'test' })
  const unplaced = () => listUnplacedTransfers(w.context.sql)
  const eventsOf = async (address: Address) => kinds(await w.events(address))

  type Receipt = { logs: { logIndex: string }[] }

  /** Answers the receipt of one transaction with what `of` makes of it. */
  const receiptLie =
    (hash: string, of: (receipt: Receipt) => unknown): Lie =>
    ({ method, params }, result) =>
      method === 'eth_getTransactionReceipt' && params[0] === hash ? of(result as Receipt) : result

  const shifted = ({ logs, ...rest }: Receipt) => ({
    ...rest,
    logs: logs.map((log) => ({ ...log, logIndex: numberToHex(Number(log.logIndex) + 1) })),
  })

  /** Answers without the logs of some transactions. */
  const hiding =
    (...hashes: string[]): Lie =>
    ({ method }, result) =>
      method === 'eth_getLogs'
        ? (result as { transactionHash: string }[]).filter(
            ({ transactionHash }) => !hashes.includes(transactionHash),
          )
        : result

  test.each<[string, string, (receipt: Receipt) => unknown]>([
    ['has no receipt', 'no node has its receipt', () => null],
    ['has a receipt with other log indexes', 'its receipt has other logs', shifted],
    ['has a receipt without logs', 'its receipt has other logs', (one) => ({ ...one, logs: [] })],
    [
      'has a receipt of another block',
      'its receipt is of another block',
      (one) => ({ ...one, blockHash: `0x${'7'.repeat(64)}` }),
    ],
    [
      'fails at the receipt',
      'no node answers for its receipt',
      () => {
        throw new Error('too large')
      },
    ],
  ])(
    'error: a stranger sends a token, and the node %s: only this one waits',
    async (name, why, of) => {
      const littered = await register(`littered ${name}`.replaceAll(' ', '-'))
      const paid = await register(`paid ${name}`.replaceAll(' ', '-'))
      const { transactionHash } = await w.pay(USDG, littered, 1n)
      await w.pay(USDC, paid, AMOUNT)
      node.lie(receiptLie(transactionHash, of))
      await settle(keeper)
      expect(await eventsOf(paid)).toEqual(['pending', 'confirmed'])
      expect(await unplaced()).toMatchObject([
        { txHash: transactionHash, address: littered, token: lower(USDG), amount: '1', error: why },
      ])
      await lookAgain(administrator())
      node.lie()
      await settle(keeper, 1)
      expect(await unplaced()).toEqual([])
      const [foreign] = await w.context.sql`
      select tx_hash as hash, log_position as position from app.foreign_transfer
      where address = ${littered}`
      expect(foreign).toEqual({ hash: transactionHash, position: 0 })
    },
  )

  test('error: a shifted receipt shows another log at the place of a payment: it gets no wrong id', async () => {
    const address = await register('shifted')
    const call = (to: Address) => ({
      target: USDC,
      allowFailure: false,
      callData: encodeFunctionData({
        abi: erc20Abi,
        functionName: 'transferFrom',
        args: [userAt(0).address, to, AMOUNT],
      }),
    })
    await w.call(userAt(0), USDC, ['function approve(address,uint256)', MULTICALL3, AMOUNT * 2n])
    const { transactionHash } = await w.call(userAt(0), MULTICALL3, [
      'function aggregate3((address target, bool allowFailure, bytes callData)[] calls) payable',
      [call(userAt(1).address), call(address)],
    ])
    node.lie(receiptLie(transactionHash, shifted))
    await settle(keeper)
    expect(await eventsOf(address)).toEqual([])
    expect(await unplaced()).toMatchObject([{ txHash: transactionHash }])
    node.lie()
    await lookAgain(administrator())
    await settle(keeper)
    expect(await eventsOf(address)).toEqual(['pending', 'confirmed'])
    const deposits = await listPlaces(address)
    expect(deposits).toEqual([{ position: expect.any(Number) }])
    const receipt = await w.client.getTransactionReceipt({ hash: transactionHash })
    const log = receipt.logs[deposits[0]?.position ?? -1]
    expect(log?.topics[2]).toContain(address.slice(2))
  })

  const listPlaces = (address: Address) =>
    w.context.sql<{ position: number }[]>`
      select payment_log_position as position from app.smart_deposit where address = ${address}`

  test('behavior: a transaction that waits in vain is looked at more and more rarely', async () => {
    const address = await register('rarely')
    const { transactionHash } = await w.pay(USDG, address, 1n)
    node.lie(receiptLie(transactionHash, () => null))
    await settle(keeper, 1)
    await w.context.sql`
      update app.unplaced_transfer set seen_at = now() - interval '2 minutes', look_at = now()`
    await settle(keeper, 1)
    const [row] = await w.context.sql<{ wait: number }[]>`
      select extract(epoch from look_at - now())::float as wait from app.unplaced_transfer`
    expect(row?.wait).toBeGreaterThan(110)
    expect(row?.wait).toBeLessThan(130)
    node.lie()
    await lookAgain(administrator())
    await settle(keeper, 1)
    expect(await unplaced()).toEqual([])
  })

  test('error: no node answers with logs: what is known is settled and finalized all the same', async () => {
    const address = await register('known')
    await w.pay(USDC, address, AMOUNT)
    const { accounts } = keeper
    keeper.accounts = []
    await settle(keeper, 1)
    keeper.accounts = accounts
    node.lie(({ method }, result) => {
      if (method === 'eth_getLogs') throw new Error('no logs')
      return result
    })
    await w.mine(1)
    for (let passes = 0; passes < 3; passes += 1) {
      await expect(settle(keeper, 1)).rejects.toThrow(PartlyFailedError)
      await w.mine(5)
    }
    await expect(settle(keeper, 1)).rejects.toThrow('failed: watch')
    expect(await eventsOf(address)).toEqual(['pending', 'confirmed', 'finalized'])
    expect(await failing()).toEqual(['watch'])
    node.lie()
    await settle(keeper, 1)
    expect(await failing()).toEqual([])
  })

  test('behavior: a transaction whose receipt no node has is not taken for that of a thief', async () => {
    const address = await register('receiptless')
    const { transactionHash } = await w.pay(USDC, address, AMOUNT)
    node.lie(({ method, params }, result) =>
      method === 'eth_getTransactionReceipt' && params[0] !== transactionHash ? null : result,
    )
    await settle(keeper, 1)
    await w.mine(FINALITY + 1)
    await settle(keeper, 2)
    expect(await eventsOf(address)).toEqual(['pending'])
    node.lie()
    await settle(keeper, 1)
    expect(await eventsOf(address)).toContain('confirmed')
    expect(await w.context.sql`select from app.keeper_intent where state = 'lost'`).toHaveLength(0)
  })

  type OwnReceipt = Receipt & { from: string; gasUsed: string }

  /** Answers the receipts of the keeper's own transactions with what `of` makes of them. */
  const ownReceiptLie =
    (of: (receipt: OwnReceipt) => unknown): Lie =>
    ({ method }, result) => {
      const isOwn = method === 'eth_getTransactionReceipt' && result !== null
      const receipt = result as OwnReceipt
      return isOwn && receipt.from === lower(keeperAccount.address) ? of(receipt) : result
    }

  test('behavior: a receipt without a price: the transaction cost the most that it can have cost', async () => {
    const address = await register('no-price')
    await w.pay(USDC, address, AMOUNT)
    node.lie(ownReceiptLie((receipt) => ({ ...receipt, effectiveGasPrice: undefined })))
    await settle(keeper)
    expect(await eventsOf(address)).toEqual(['pending', 'confirmed'])
    const [row] = await w.context.sql<{ cost: string; most: string }[]>`
      select i.cost_wei as cost, i.gas * t.max_fee as most
      from app.smart_deposit d join app.keeper_part p using (deposit_id)
      join app.keeper_intent i on (i.chain_id, i.keeper, i.nonce) = (p.chain_id, p.keeper, p.nonce)
      join app.keeper_transaction t on t.hash = i.mined_hash
      where d.address = ${address}`
    expect(Number(row?.cost)).toBeGreaterThan(0)
    expect(Number(row?.cost)).toBeLessThanOrEqual(Number(row?.most))
  })

  test('behavior: a receipt without a block is of a transaction that waits', async () => {
    const address = await register('no-block')
    await w.pay(USDC, address, AMOUNT)
    const waiting = { blockHash: null, blockNumber: null, logs: [] }
    node.lie(ownReceiptLie((receipt) => ({ ...receipt, ...waiting })))
    await settle(keeper)
    expect(await eventsOf(address)).toEqual(['pending'])
    const states = await w.context.sql`
      select i.state from app.keeper_intent i join app.keeper_part p using (chain_id, keeper, nonce)
      join app.smart_deposit d using (deposit_id)
      where d.address = ${address}`
    expect(states).toEqual([{ state: 'open' }])
    node.lie()
    await settle(keeper, 1)
    expect(await eventsOf(address)).toEqual(['pending', 'confirmed'])
  })

  test('behavior: a balance of an older block than was asked for makes no payment short', async () => {
    const address = await register('older-state')
    const { blockNumber } = await w.pay(USDC, address, AMOUNT)
    const answerOfOld = async (call: unknown) => {
      const { data } = await w.client.call({ ...(call as { to: Address; data: Hex }), blockNumber })
      return data ?? '0x'
    }
    // Blocks differ by their times, which are in seconds.
    await sleep(1_100)
    await w.pay(USDC, address, AMOUNT)
    // A node that lags, and answers from its own newest block whatever block is asked for.
    node.lie(({ method, params: [call, block] }, result) =>
      method === 'eth_call' && block !== 'latest' ? answerOfOld(call) : result,
    )
    await settle(keeper, 2)
    expect(await eventsOf(address)).toEqual(['pending', 'pending'])
    node.lie()
    await w.hurry()
    await settle(keeper)
    const events = await w.events(address)
    expect(kinds(events).slice(2)).toEqual(['confirmed', 'confirmed'])
    expect(new Set(events.slice(2).map(({ body }) => body.minted_amount)).size).toBe(1)
  })

  test('behavior: a payment whose log a node repeats is one payment', async () => {
    const address = await register('repeated')
    node.lie(({ method }, result) =>
      method === 'eth_getLogs' && Array.isArray(result) ? [...result, ...result] : result,
    )
    await w.pay(USDC, address, AMOUNT)
    await settle(keeper)
    expect(await eventsOf(address)).toEqual(['pending', 'confirmed'])
  })

  test('error: a deposit that cannot be compared after a reorganisation holds up no other', async () => {
    const [lost, paid] = [await register('lost'), await register('beside-lost')]
    const { transactionHash } = await w.pay(USDC, lost, AMOUNT)
    await settle(keeper)
    const bogus = `0x${'7'.repeat(64)}`
    await w.context.sql`
      update app.smart_deposit set payment_block_hash = ${bogus} where address = ${lost}`
    keeper.memory.head = null
    keeper.memory.isToCompare = true
    node.lie(
      receiptLie(transactionHash, () => {
        throw new Error('lost')
      }),
    )
    await w.pay(USDC, paid, AMOUNT)
    for (const _ of [1, 2, 3]) await expect(settle(keeper, 1)).rejects.toThrow('failed: compare')
    expect(await eventsOf(paid)).toEqual(['pending', 'confirmed'])
    node.lie()
    await settle(keeper, 1)
    expect(await eventsOf(lost)).toContain('reverted')
  })

  test('behavior: payments that wait in final blocks are not compared after each reorganisation', async () => {
    const waiting = await register('waiting')
    const { accounts } = keeper
    keeper.accounts = []
    const numbers: string[] = []
    for (let count = 0; count < 3; count += 1)
      numbers.push(numberToHex((await w.pay(USDC, waiting, AMOUNT)).blockNumber))
    await w.mine(FINALITY + 1)
    await settle(keeper, 1)
    await reorganise(w.client, 1)
    const asked: unknown[] = []
    node.lie(({ method, params }, result) => {
      if (method === 'eth_getBlockByNumber') asked.push(params[0])
      return result
    })
    await settle(keeper, 1)
    expect(asked.length).toBeGreaterThan(0)
    expect(asked.filter((number) => numbers.includes(String(number)))).toEqual([])
    node.lie()
    keeper.accounts = accounts
    await settle(keeper)
    expect(await eventsOf(waiting)).toEqual([
      ...Array(3).fill('pending'),
      ...Array(3).fill('confirmed'),
    ])
  })

  test('error: a payment whose settlement no node shows holds up no other', async () => {
    const [byHand, paid] = [await register('by-hand'), await register('beside-by-hand')]
    const { accounts } = keeper
    keeper.accounts = []
    await w.pay(USDC, byHand, AMOUNT)
    await settle(keeper, 1)
    const [deposit] = await listDeposits(w.context.sql, w.context.sql`d.address = ${byHand}`)
    if (!deposit) throw new Error('the payment is recorded')
    const returned = { payment: deposit.paymentId, token: USDC, amount: AMOUNT }
    const { to, data } = returnCall('refund', deposit, returned)
    await w.send(owner, to, data)
    keeper.accounts = accounts
    node.lie(({ method, params }, result) => {
      const [asked] = params as [{ address?: string }]
      if (method === 'eth_getLogs' && asked.address?.toLowerCase() === deposit.factory)
        throw new Error('no logs of the factory')
      return result
    })
    await w.pay(USDC, paid, AMOUNT)
    await settle(keeper)
    expect(await eventsOf(paid)).toEqual(['pending', 'confirmed'])
    expect(await eventsOf(byHand)).toEqual(['pending'])
    node.lie()
    await w.hurry()
    await settle(keeper)
    expect(await eventsOf(byHand)).toEqual(['pending', 'failed'])
  })

  test('behavior: health, metrics and the list of keepers show lag, failing steps, and what waits', async () => {
    const address = await register('watched')
    await settle(keeper, 1)
    const [foreign, hidden] = [await w.pay(USDG, address, 1n), await w.pay(USDC, address, AMOUNT)]
    node.lie((call, result) =>
      hiding(hidden.transactionHash)(
        call,
        receiptLie(foreign.transactionHash, () => null)(call, result),
      ),
    )
    keeper.memory.sweep.nextAt = 0
    await settle(keeper, 1)
    const counts = {
      unplacedTransferCount: 1,
      unexplainedBalanceCount: 1,
      unscreenedPaymentCount: 0,
      unpaidConversionCount: 0,
    }
    expect(await health()).toEqual({
      status: 'up',
      chains: { [CHAIN_ID]: { lagSeconds: expect.any(Number), ...counts } },
    })
    await w.context.sql`
      update app.keeper_chain set passed_at = now() - interval '400 seconds', failing = '{watch}'`
    expect(await health()).toEqual({
      status: 'down',
      chains: {
        [CHAIN_ID]: {
          lagSeconds: expect.any(Number),
          message: 'failed in its last pass: watch',
          ...counts,
        },
      },
    })
    const { keepers } = await listKeepers(w.context, { pageSize: 10 })
    expect(keepers).toMatchObject([{ failing: ['watch'], ...counts }])
    expect(keepers[0]?.lagSeconds).toBeCloseTo(400, -1)

    const metrics = await startMetrics(
      w.context,
      { METRICS_HOST: '127.0.0.1', METRICS_PORT: 0 },
      keeper.logger,
    )
    onTestFinished(() => metrics?.stop())
    const text = await (await fetch(metrics?.url ?? '')).text()
    expect(text).toMatch(/^causeway_keeper_lag_seconds\{chain="1"\} 40\d/m)
    expect(text).toContain('causeway_keeper_unplaced_transfers{chain="1"} 1\n')
    expect(text).toContain('causeway_keeper_unexplained_balances{chain="1"} 1\n')

    node.lie()
    keeper.memory.passed = null
    await lookAgain(administrator())
    await settle(keeper)
    expect(await eventsOf(address)).toEqual(['pending', 'confirmed'])
    expect((await health())?.status).toBe('up')
  })

  const health = async () => (await checkHealth(w.context, { maxLagSeconds: 300 })).checks.keeper

  async function failing() {
    const [row] = await w.context.sql<{ failing: string[] }[]>`
      select failing from app.keeper_chain where chain_id = ${CHAIN_ID}`
    return row?.failing
  }

  describe('hidden logs', () => {
    const unexplained = () => listUnexplainedBalances(w.context.sql)

    test('error: a log that is hidden through many restarts is found when it shows', async () => {
      const address = await register('hidden')
      await settle(keeper, 1)
      const { transactionHash } = await w.pay(USDC, address, AMOUNT)
      node.lie(hiding(transactionHash))
      for (let restarts = 0; restarts < 5; restarts += 1) {
        keeper = await w.takeOver()
        askOnly([node.rpcUrl])
        await settle(keeper, 1)
      }
      expect(await unexplained()).toMatchObject([{ address, amount: String(AMOUNT) }])
      node.lie()
      await lookAgain(administrator())
      await settle(keeper)
      expect(await eventsOf(address)).toEqual(['pending', 'confirmed'])
      expect(await unexplained()).toEqual([])
    })

    test('behavior: it is searched for again for ever, an hour apart in the end', async () => {
      const address = await register('for-ever')
      await settle(keeper, 1)
      const { transactionHash } = await w.pay(USDC, address, AMOUNT)
      node.lie(hiding(transactionHash))
      keeper.memory.sweep.nextAt = 0
      await settle(keeper, 1)
      const old = '300 days'
      await w.context.sql`
        update app.unexplained_balance
        set since = now() - ${old}::interval, changed_at = now() - ${old}::interval`
      expect(await pauseOf(address)).toBeLessThan(31)
      for (let searches = 0; searches < 4; searches += 1) {
        await lookAgain(administrator())
        await settle(keeper, 1)
        const pause = await pauseOf(address)
        expect(pause).toBeGreaterThan(3_590)
        expect(pause).toBeLessThan(3_610)
      }
      // The same money again is not hidden behind what was found missing before.
      node.lie()
      await w.context.sql`update app.unexplained_balance set search_at = now()`
      await settle(keeper)
      expect(await eventsOf(address)).toEqual(['pending', 'confirmed'])
    })

    async function pauseOf(address: Address) {
      const [row] = await w.context.sql<{ pause: number }[]>`
        select extract(epoch from search_at - now())::float as pause
        from app.unexplained_balance where address = ${address}`
      return row?.pause
    }

    test('behavior: another node is asked too, so one that hides a log hides nothing', async () => {
      const address = await register('two-nodes')
      await settle(keeper, 1)
      const { transactionHash } = await w.pay(USDC, address, AMOUNT)
      node.lie(hiding(transactionHash))
      await settle(keeper, 1)
      expect(await eventsOf(address)).toEqual([])
      askOnly([node.rpcUrl, w.world.rpcUrls[CHAIN_ID] ?? ''])
      keeper.memory.sweep.nextAt = 0
      await settle(keeper)
      expect(await eventsOf(address)).toEqual(['pending', 'confirmed'])
    })

    test('behavior: so one that shows a log at a wrong index holds up no payment for long', async () => {
      const address = await register('wrong-index')
      await settle(keeper, 1)
      const { transactionHash } = await w.pay(USDC, address, AMOUNT)
      node.lie(({ method }, result) =>
        method === 'eth_getLogs'
          ? (result as { transactionHash: string; logIndex: string }[]).map((log) =>
              log.transactionHash === transactionHash ? { ...log, logIndex: '0x777' } : log,
            )
          : result,
      )
      await settle(keeper, 1)
      expect(await unplaced()).toMatchObject([{ txHash: transactionHash }])
      askOnly([node.rpcUrl, w.world.rpcUrls[CHAIN_ID] ?? ''])
      keeper.memory.sweep.nextAt = 0
      await settle(keeper, 1)
      expect(await unexplained()).toEqual([])
      await w.context.sql`
        update app.unplaced_transfer set seen_at = now() - interval '2 minutes'`
      keeper.memory.sweep.nextAt = 0
      await settle(keeper)
      expect(await eventsOf(address)).toEqual(['pending', 'confirmed'])
      expect(await unplaced()).toEqual([])
    })
  })
})
