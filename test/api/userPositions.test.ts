import { type Address, getAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApi, type TestApi } from '../support/api.ts'
import { undescribed } from '../support/describedAnswer.ts'
import { getJson } from '../support/getJson.ts'
import { type PageFetcher, testPageLaws } from '../support/pageLaws.ts'
import { insertFacts, replaceHeads, setReady } from '../support/testIndex.ts'
import { type BookVault, bookOfVaults } from '../support/vaultBook.ts'
import { insertLife } from '../support/vaultLives.ts'

const USER: Address = `0x${'c1'.repeat(20)}`
const OTHER: Address = `0x${'c2'.repeat(20)}`
const BASES = ['six decimals', 'eighteen decimals', 'a stand-in of eight'] as const
const RATE = { 'six decimals': 6, 'eighteen decimals': 18, 'a stand-in of eight': 8 }

/** Every third vault is in deprecation, including the first and the last. */
const VAULTS: BookVault[] = Array.from({ length: 199 }, (_, index) => ({
  chainId: index < 19 ? 1 : 4663,
  vault: `0x${(index * 7 + 16).toString(16).padStart(40, '0')}`,
  base: BASES[index % 3] ?? 'six decimals',
  inDeprecation: index % 3 === 0,
}))

type Position = {
  vaultAddress: Address
  chainId: number
  shareBalance: string
  positionValueInBase: string
  baseAssetAddress: Address
  exchangeRateToBase: string
}
type Body = {
  userPositions: Position[]
  nextPageToken: string | null
  tokenMetadata: Record<string, Record<string, string>>
}

let api: TestApi
const shares = new Map<string, bigint>()
beforeAll(async () => {
  api = await startTestApi({ addressBook: bookOfVaults(VAULTS) })
  for (const { chainId, vault, base } of VAULTS) {
    const moment = { time: 1_699_000_000, block: 5, supply: 10n ** 20n, holders: 1, supplyBlock: 5 }
    // 1.25 of the base, updated only once.
    const rate = (10n ** BigInt(RATE[base]) * 5n) / 4n
    const states = [{ ...moment, rate, rateBlock: 5 }] as const
    await insertLife(api.context.sql, { chainId, vault, openingRate: rate, states: [...states] })
  }
  for (const index of [1, 2, 6, 20, 21]) await give(index, BigInt(index) * 1_000_003n)
  // A deprecated vault in which the user has no shares any more.
  await give(9, 0n)
})
afterAll(() => api?.stop())

describe('the positions of a user', () => {
  testPageLaws(() => ({
    fetch: list({ userAddress: USER }),
    matching: () => expected(() => true).map(keyOf),
    insert: giveMore,
    others: {
      'another user': list({ userAddress: OTHER }),
      'a filter': list({ userAddress: USER, filter: 'chainId = 4663' }),
    },
  }))
})

test('default: a position, to the digit, and its tokens', async () => {
  // Vault 2 has a stand-in base, 1 has eighteen decimals, 21 is in deprecation and has six.
  const answers = await Promise.all(
    [2, 1, 21].map((index) => get({ filter: `vaultAddress = ${VAULTS[index]?.vault}` })),
  )
  const [standIn, big, small] = answers.map(({ body }) => body)
  for (const { url, status, headers, body } of answers) {
    expect(undescribed(url, status, body)).toEqual([])
    expect(headers.get('cache-control')).toBe('no-cache')
    expect(headers.get('x-indexed-blocks')).toMatch(/^(1=1000|4663=99)$/)
  }
  expect(standIn?.userPositions).toEqual([
    {
      vaultAddress: getAddress(VAULTS[2]?.vault ?? '0x'),
      chainId: 1,
      shareBalance: '2000006',
      // 2,000,006 * 1.25 = 2,500,007.5
      positionValueInBase: '0.02500007',
      baseAssetAddress: getAddress(`0x${'57'.repeat(20)}`),
      exchangeRateToBase: '1.25000000',
      costBasis: '0.00000000',
      realisedEarnings: '0.00000000',
      unrealisedEarnings: '0.02500007',
      hasTransferredShares: false,
      valueUsd: null,
      assetMetadata: {
        name: 'XAU',
        symbol: 'XAU',
        decimals: 8,
        tokenStandard: 'NONE',
        coinGeckoId: 'pax-gold',
      },
      stale: false,
      asOf: null,
    },
  ])
  expect(standIn?.tokenMetadata).toEqual({
    [`1:${getAddress(`0x${'57'.repeat(20)}`)}`]: XAU,
    [getAddress(`0x${'57'.repeat(20)}`)]: XAU,
  })
  expect(big?.userPositions).toMatchObject([
    {
      shareBalance: '1000003',
      positionValueInBase: '0.000000000001250003',
      exchangeRateToBase: '1.250000000000000000',
    },
  ])
  expect(small?.userPositions).toMatchObject([
    {
      chainId: 4663,
      shareBalance: '21000063',
      positionValueInBase: '26.250078',
      exchangeRateToBase: '1.250000',
    },
  ])
  expect(Object.values(small?.tokenMetadata ?? {})[0]).toMatchObject({ symbol: 'SIX' })
})

const XAU = {
  chain_id: '1',
  address: getAddress(`0x${'57'.repeat(20)}`),
  name: 'XAU',
  symbol: 'XAU',
  decimals: '8',
  token_standard: 'NONE',
  coin_gecko_id: 'pax-gold',
}

test('behavior: cost and earnings, to the digit, also negative, also without a rate at the time', async () => {
  const { sql } = api.context
  const account = `0x${'c3'.repeat(20)}`
  // Vault 21 has six decimals and the opening rate 1.25.
  const [first, second] = [VAULTS[21], VAULTS[22]]
  const row = { account, chain_id: 4663, has_transferred_shares: true, balance: 2_000_000 }
  const priced = { cost: 2_000_000n * 1_300_000n + 7n, realised: -1_500_001_999_999n }
  await insertFacts(sql, 'share_balance', [
    { ...row, vault: first?.vault ?? '', ...priced, is_priced: true },
    { ...row, vault: second?.vault ?? '', cost: 3n * 10n ** 18n, realised: 1, is_priced: false },
  ])
  const { body } = await get({ userAddress: account, filter: 'chainId = 4663', pageSize: '100' })
  const of = (vault = '') => body.userPositions.find((p) => p.vaultAddress.toLowerCase() === vault)
  expect(of(first?.vault)).toMatchObject({
    positionValueInBase: '2.500000',
    costBasis: '2.600000',
    realisedEarnings: '-1.500001',
    unrealisedEarnings: '-0.100000',
    hasTransferredShares: true,
  })
  // Eighteen decimals: the cost is in shares, which were worth 1.25 each.
  expect(of(second?.vault)).toMatchObject({
    costBasis: '3.750000000000000000',
    realisedEarnings: '0.000000000000000001',
  })
})

test('behavior: an address in any case is the same user, with the same tokens', async () => {
  const mixed = getAddress(USER)
  const [lower, upper] = await Promise.all([
    get({ pageSize: '2' }),
    get({ pageSize: '2', userAddress: mixed }),
  ])
  expect(upper.body).toEqual(lower.body)
  expect(lower.body.userPositions).toHaveLength(2)
})

test('behavior: a stranger has nothing of every vault that is not in deprecation', async () => {
  const { body } = await get({ userAddress: OTHER, filter: 'chainId = 1' })
  const live = VAULTS.filter(({ chainId, inDeprecation }) => chainId === 1 && !inDeprecation)
  expect(body.userPositions).toHaveLength(live.length)
  expect(new Set(body.userPositions.map(({ shareBalance }) => shareBalance))).toEqual(
    new Set(['0']),
  )
  expect(new Set(body.userPositions.map((row) => Number(row.positionValueInBase)))).toEqual(
    new Set([0]),
  )
})

test('error: a vault without an indexed rate or a node', async () => {
  const { sql } = api.context
  const vault = VAULTS[1]?.vault ?? ''
  const [state] = await sql`delete from facts.vault_state where vault = ${vault} returning *`
  expect(await get({ filter: `vaultAddress = ${vault}` })).toMatchObject({
    status: 503,
    reason: 'RPC_UNAVAILABLE',
  })
  await insertFacts(sql, 'vault_state', [{ ...state }])
  expect((await get({ filter: `vaultAddress = ${vault}` })).body.userPositions).toHaveLength(1)
})

test('error: an index that is behind', async () => {
  const { sql } = api.context
  await setReady(sql, 4663, false)
  expect(await get({})).toMatchObject({ status: 503, reason: 'INDEX_CATCHING_UP' })
  expect((await get({ filter: 'chainId = 1' })).status).toBe(200)
  await setReady(sql, 4663, true)
})

test('behavior: balances are read again after a block that changes one', async () => {
  const filter = `vaultAddress = ${VAULTS[6]?.vault}`
  const balance = async () => (await get({ filter })).body.userPositions[0]?.shareBalance
  const { sql } = api.context
  const change = (balance: string) => sql`
    update facts.share_balance set ${sql({ balance })} where vault = ${VAULTS[6]?.vault ?? ''}`
  const before = await balance()
  await change('71')
  await sql`update facts.chain_head set block_hash = 'empty' || block_hash`
  expect(await balance()).toBe(before)
  await replaceHeads(sql)
  expect(await balance()).toBe('71')
  await change(before ?? '0')
  await replaceHeads(sql)
})

async function give(index: number, amount: bigint) {
  const entry = VAULTS[index]
  if (!entry) throw new Error(`there is no vault ${index}`)
  shares.set(keyOf(entry), amount)
  const { chainId: chain_id, vault } = entry
  await insertFacts(api.context.sql, 'share_balance', [
    { chain_id, vault, account: USER, balance: amount },
  ])
  await replaceHeads(api.context.sql)
}

/** Gives the user shares of one more vault in deprecation, from both ends and the middle in turn. */
async function giveMore() {
  const hidden = VAULTS.flatMap((entry, index) =>
    entry.inDeprecation && !shares.has(keyOf(entry)) ? [index] : [],
  )
  const [first, last] = [hidden[0], hidden.at(-1)]
  for (const index of new Set([first, last])) if (index !== undefined) await give(index, 5n)
}

function keyOf({ chainId, vault }: { chainId: number; vault: Address }): string {
  return `${chainId} ${vault.toLowerCase()}`
}

function expected(isSelected: (entry: BookVault) => boolean): BookVault[] {
  return VAULTS.filter(
    (entry) => isSelected(entry) && (!entry.inDeprecation || (shares.get(keyOf(entry)) ?? 0n) > 0n),
  )
}

function get(parameters: Record<string, string>) {
  const query = new URLSearchParams({ userAddress: USER, ...parameters })
  return getJson<Body>(`${api.url}/v2/earn/userPositions?${query}`)
}

function list(parameters: Record<string, string>): PageFetcher {
  return async ({ pageSize, pageToken }) => {
    const page = { pageSize: String(pageSize), ...(pageToken ? { pageToken } : {}) }
    const { status, reason, body } = await get({ ...parameters, ...page })
    return {
      status,
      reason,
      nextPageToken: body.nextPageToken ?? null,
      keys: (body.userPositions ?? []).map((row) =>
        keyOf({ chainId: row.chainId, vault: row.vaultAddress }),
      ),
    }
  }
}
