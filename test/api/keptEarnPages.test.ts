import { setTimeout as sleep } from 'node:timers/promises'
import { type Address, encodeFunctionData, parseAbi } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createKey } from '../../domain/access/keys.ts'
import { createOrganization } from '../../domain/access/organizations.ts'
import { PERMISSIONS } from '../../domain/access/permissions.ts'
import { type EarnDeployment, earnDeployments } from '../../domain/earn/vaults/deployments.ts'
import { deployer, send } from '../devnet/stationWorld.ts'
import { startTestWorld, type TestWorld } from '../support/anvils.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { testOrganization } from '../support/ask.ts'
import { getJson } from '../support/getJson.ts'
import { handClock } from '../support/handClock.ts'
import { hashOf, insertAddress, insertDeposit } from '../support/smartDeposits.ts'
import { insertFacts, replaceHeads } from '../support/testIndex.ts'
import { bookOfVaults } from '../support/vaultBook.ts'
import { insertLife, type VaultLife } from '../support/vaultLives.ts'

const VAULT: Address = `0x${'1a'.repeat(20)}`
const TIME = 1_699_000_000
/** Long enough for all requests to have come. */
const LOCKED_MS = 300

/** The vault's rate, set once. */
function insertVault({ context }: TestApi, vault: Address, rate: bigint) {
  const moment = { time: TIME, block: 5, supply: 10n ** 9n, holders: 1, supplyBlock: 5 }
  const states: VaultLife['states'] = [{ ...moment, rate, rateBlock: 5 }]
  return insertLife(context.sql, { chainId: 1, vault, openingRate: rate, states })
}

let api: TestApi
beforeAll(async () => {
  const book = bookOfVaults([{ chainId: 1, vault: VAULT, base: 'six decimals' }])
  api = await startTestApi({ addressBook: book })
  await insertVault(api, VAULT, 1_250_000n)
})
afterAll(() => api?.stop())

/** A block without a log. */
const addEmptyBlock = () => api.context.sql`
  update facts.chain_head set block_hash = 'empty' || block_hash`

async function read<Body>(path: string, key?: string): Promise<Body> {
  const headers = key ? { 'x-api-key': key } : {}
  const { status, body } = await getJson<Body>(`${api.url}/v2/earn/${path}`, headers)
  expect(status).toBe(200)
  return body
}

describe('a page of positions', () => {
  const user: Address = `0x${'c1'.repeat(20)}`
  const listed = async () => {
    const { userPositions } = await read<{ userPositions: { shareBalance: string }[] }>(
      `userPositions?userAddress=${user}`,
    )
    return userPositions[0]?.shareBalance
  }
  const setBalance = (balance: number) => api.context.sql`
    update facts.share_balance set balance = ${balance} where account = ${user}`
  beforeAll(() =>
    insertFacts(api.context.sql, 'share_balance', [
      { chain_id: 1, vault: VAULT, account: user, balance: 1 },
    ]),
  )

  test('default: is not read again after blocks without a log', async () => {
    expect(await listed()).toBe('1')
    await setBalance(2)
    await addEmptyBlock()
    expect(await listed()).toBe('1')
  })

  test('behavior: is read again after a block that changes a row', async () => {
    await setBalance(3)
    await replaceHeads(api.context.sql)
    expect(await listed()).toBe('3')
  })
})

test('default: a series is read once per head', async () => {
  const filter = encodeURIComponent(`vaultAddress = ${VAULT}`)
  const query = `filter=${filter}&includeCurrent=false&startTime=${TIME}&endTime=${TIME + 86_400}`
  const listed = async () => {
    const path = `vaultTvls?${query}`
    const { vaultTvls } = await read<{ vaultTvls: { tvl: string }[] }>(path)
    return vaultTvls[0]?.tvl
  }
  expect(await listed()).toBe('1250.000000')
  await api.context.sql`update facts.vault_hour set supply = supply * 2 where vault = ${VAULT}`
  expect(await listed()).toBe('1250.000000')
  await addEmptyBlock()
  expect(await listed()).toBe('2500.000000')
})

describe('beside a node', () => {
  const account: Address = `0x${'c4'.repeat(20)}`
  const clock = handClock()
  let started: TestWorld
  let nodeApi: TestApi
  let dollar: EarnDeployment
  beforeAll(async () => {
    started = await startTestWorld([1], { withVaults: true })
    const { world } = started
    nodeApi = await startTestApi({ world, clock })
    const found = earnDeployments(world.addressBook).find(
      ({ name, chainId }) => name === 'Harbor Dollar' && chainId === 1,
    )
    if (!found) throw new Error('the local world has the dollar vault')
    dollar = found
    const { vault } = dollar
    await insertVault(nodeApi, vault, 1_000_000n)
    await insertFacts(nodeApi.context.sql, 'share_balance', [
      { chain_id: 1, vault, account, balance: 2_000_000 },
    ])
  })
  afterAll(async () => {
    await nodeApi?.stop()
    await started?.stop()
  })

  const setPrice = (answer: bigint) => {
    const { world } = started
    const feed = world.addressBook.tokens.find(
      ({ chainId, address }) => chainId === 1 && address === dollar.baseToken,
    )?.usdFeed
    return send(world, 1, {
      address: feed?.address ?? '0x',
      account: deployer,
      data: encodeFunctionData({
        abi: parseAbi(['function setRound(int256, uint256)']),
        args: [answer, BigInt(Math.floor(Date.now() / 1_000))],
      }),
    })
  }
  async function listed<Row>(list: string, query: Record<string, string>) {
    const filter = `chainId = 1 AND vaultAddress = ${dollar.vault}`
    const url = `${nodeApi.url}/v2/earn/${list}?${new URLSearchParams({ filter, ...query })}`
    const { body } = await getJson<Record<string, Row[]>>(url)
    return body[list]?.[0]
  }

  test('behavior: a page of positions shows a new price without a new block', async () => {
    type Row = { valueUsd: { amount: string } }
    const worth = async () =>
      (await listed<Row>('userPositions', { userAddress: account }))?.valueUsd.amount
    await setPrice(99_000_000n)
    // The first answer is not kept: its tokens were not known yet.
    for (let asked = 0; asked < 2; asked += 1) expect(await worth()).toBe('1.98000000')
    await setPrice(98_000_000n)
    clock.advance(60_000)
    expect(await worth()).toBe('1.96000000')
  })

  test('behavior: the growth of now follows the index, while the past of its page stays', async () => {
    type Row = { windows: { month: string } }
    const growth = async () => {
      const query = { orderByTimestamp: 'desc', pageSize: '1', apyWindow: '86400' }
      return (await listed<Row>('vaultApys', query))?.windows.month
    }
    const insertRate = async (time: number, rate: number) => {
      const hour = Math.floor(time / 3_600) * 3_600
      const state = { chain_id: 1, vault: dollar.vault, hour, rate, rate_block: 6 }
      await insertFacts(nodeApi.context.sql, 'vault_hour', [state])
      await replaceHeads(nodeApi.context.sql)
    }
    await insertRate(Date.now() / 1_000 - 20 * 86_400, 1_000_000)
    const before = await growth()
    expect(await growth()).toBe(before)
    // After the rows of the past, and before the last day.
    await insertRate(Date.now() / 1_000 - 90 * 86_400, 900_000)
    expect(Number(await growth())).toBeGreaterThan(Number(before))
  })
})

describe('a page of activity', () => {
  type Listed = { activity: { type: string; shareAmount: string; depositId?: string }[] }
  const path = (user: Address) => `activity?filter=userAddress%20%3D%20${user}`
  const insertActivity = (user: Address, counterparty: Address | null) =>
    insertFacts(api.context.sql, 'vault_activity', [
      {
        chain_id: 1,
        vault: VAULT,
        block_number: 5,
        block_timestamp: TIME,
        transaction_hash: hashOf(user),
        type: 'DEPOSIT',
        user_address: user,
        counterparty,
        shares: 1,
        rate: 1_250_000,
      },
    ])

  test('default: is not read again after blocks without a log', async () => {
    const user: Address = `0x${'d1'.repeat(20)}`
    await insertActivity(user, null)
    const shares = async () => (await read<Listed>(path(user))).activity[0]?.shareAmount
    expect(await shares()).toBe('1')
    await api.context.sql`update facts.vault_activity set shares = 2 where user_address = ${user}`
    await addEmptyBlock()
    expect(await shares()).toBe('1')
    await replaceHeads(api.context.sql)
    expect(await shares()).toBe('2')
  })

  test('behavior: a deposit that another paid is read each time, as its payer may be registered', async () => {
    const user: Address = `0x${'d2'.repeat(20)}`
    const payer: Address = `0x${'5d'.repeat(20)}`
    await insertActivity(user, payer)
    const type = async () => (await read<Listed>(path(user))).activity[0]?.type
    expect(await type()).toBe('DEPOSIT')
    const { id } = await testOrganization(api.context.sql)
    await insertAddress(api.context.sql, [id], { address: payer, user, vault: VAULT })
    expect(await type()).toBe('SMART_DEPOSIT')
  })

  test("behavior: organizations that ask at once see their own smart deposits' ids", async () => {
    const { sql } = api.context
    const user: Address = `0x${'d3'.repeat(20)}`
    const payer: Address = `0x${'6e'.repeat(20)}`
    await insertActivity(user, payer)
    const { id } = await testOrganization(sql)
    await insertAddress(sql, [id], { address: payer, user, vault: VAULT })
    const depositId = hashOf('a deposit')
    await insertDeposit(sql, {
      deposit_id: depositId,
      address: payer,
      status: 'confirmed',
      settle_tx_hash: hashOf(user),
    })
    const other = await createOrganization(api.administrator, 'Others')
    const grant = { organizationId: other.id, permissions: PERMISSIONS }
    const { key } = await createKey(api.administrator, grant)
    const ask = async (isOther: boolean) => {
      const { activity } = await read<Listed>(path(user), isOther ? key : undefined)
      return [isOther, activity[0]?.depositId]
    }
    // The key is known from now on, so that nothing else delays the requests.
    await ask(true)
    let asked: ReturnType<typeof ask>[] = []
    await sql.begin(async (transaction) => {
      await transaction`lock table app.smart_deposit_registration`
      asked = Array.from({ length: 20 }, (_, index) => ask(index % 2 === 1))
      await sleep(LOCKED_MS)
    })
    const answers = await Promise.all(asked)
    for (const [isOther, found] of answers) expect(found).toBe(isOther ? undefined : depositId)
  })
})
