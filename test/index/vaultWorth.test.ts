import { type Address, getAddress, parseEther, zeroAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accountantAbi } from '../../abis/accountant.ts'
import { userAt } from '../../devnet/accounts.ts'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import { type VaultDeployment, vaultDeployment } from '../../devnet/vaults/deployment.ts'
import { worldClient } from '../../devnet/world.ts'
import { apyByDecimals } from '../support/apyByDecimals.ts'
import { undescribed } from '../support/describedAnswer.ts'
import { startTestProduct, type TestProduct } from '../support/product.ts'
import { CHAINS, type ElevenDays, LIVED_IN, liveElevenDays } from './elevenDays.ts'
import { getPositions, getTvls, readApys, readTvls, walkTvls } from './readWorth.ts'

/**
 * Eleven days of a vault on a real chain, through the real indexer and API. Every expectation is computed
 * by hand from the transactions.
 */

const DAY = 86_400
const { USDG } = DEPLOYMENT.tokens
const { dollar, ether, gold, sunset } = LIVED_IN
const [alice, bob, carol] = [userAt(0), userAt(1), userAt(2)]

let product: TestProduct
let midnight: number
let blocks: ElevenDays['blocks']

beforeAll(async () => {
  product = await startTestProduct({ chainIds: CHAINS, withVaults: true })
  const lived = await liveElevenDays(product)
  midnight = lived.midnight
  blocks = lived.blocks
}, 120_000)
afterAll(() => product?.stop())

describe('worth', () => {
  const days: [number, string, string, string, number][] = [
    [1, '1000.000000', '1000000000', '1000000', 1],
    [2, '1001.000000', '1000000000', '1001000', 1],
    // Its block has exactly this time.
    [3, '1000.500000', '1000000000', '1000500', 2],
    [4, '1000.500000', '1000000000', '1000500', 2],
    [5, '1000.500000', '1000000000', '1000500', 2],
    [6, '0.000000', '0', '1000500', 0],
    // 10 / 1.0005 = 9.995002498… shares, which are worth 9.999999501. Three of them went to the zero
    // address later, which does not burn them.
    [7, '9.999999', '9995002', '1000500', 1],
    [8, '9.999999', '9995002', '1000500', 1],
    [9, '9.999999', '9995002', '1000500', 1],
    [10, '9.999999', '9995002', '1000500', 1],
  ]

  test('default: day by day, and now', async () => {
    const rows = await readTvls(product, `filter: "${filterOf(dollar)}"`)
    const before = [-1, 0].filter((day) => ageOn(day) >= 0)
    expect(rows.map(({ supplyBlock: _, rateBlock: __, ...row }) => row)).toEqual([
      // From its creation on, before it had a share.
      ...before.map((day) => ({
        timestamp: isoDay(day),
        tvl: '0.000000',
        tvlAsset: 'USDG',
        supply: '0',
        rate: '1000000',
        holders: 0,
        isCurrent: false,
      })),
      ...days.map(([day, tvl, supply, rate, holders]) => ({
        timestamp: isoDay(day),
        tvl,
        tvlAsset: 'USDG',
        supply,
        rate,
        holders,
        isCurrent: false,
      })),
      {
        timestamp: iso(blocks.last?.timestamp ?? 0),
        tvl: '9.999999',
        tvlAsset: 'USDG',
        supply: '9995002',
        rate: '1000500',
        holders: null,
        isCurrent: true,
      },
    ])
    expect(rows.map(({ supplyBlock, rateBlock }) => [supplyBlock, rateBlock])).toEqual([
      ...before.map(() => [null, null]),
      [numberOf('first deposit'), null],
      [numberOf('first deposit'), numberOf('first update')],
      ...[3, 4, 5].map(() => [numberOf('first deposit'), numberOf('second update')]),
      [numberOf('last burn'), numberOf('second update')],
      ...[7, 8, 9, 10].map(() => [numberOf('second deposit'), numberOf('second update')]),
      [null, null],
    ])
  })

  test('behavior: over REST, the newest first, as OpenAPI describes it', async () => {
    const { url, status, body, headers } = await getTvls(product, {
      filter: filterOf(dollar),
      orderByTimestamp: 'desc',
      pageSize: '4',
    })
    expect(undescribed(url, status, body)).toEqual([])
    const place = { vaultAddress: dollar.vault, chainId: 1, interval: '86400', tvlAsset: 'USDG' }
    const row = { ...place, tvl: '9.999999', stale: false }
    const now = iso(blocks.last?.timestamp ?? 0)
    expect(body.vaultTvls).toEqual([
      { ...row, timestamp: now, asOf: expect.any(String) },
      ...[10, 9, 8].map((day) => ({ ...row, timestamp: isoDay(day), asOf: null })),
    ])
    expect(headers.get('cache-control')).toBe('private, max-age=10')
    expect(headers.get('x-indexed-blocks')).toBe(`1=${blocks.last?.number}`)
  })

  test('behavior: the rate is from the accountant in use, not the former one', async () => {
    const rows = await readTvls(product, `filter: "${filterOf(ether)}"`)
    // Eight of the ten shares from before the upgrade; the opening rate is 1, then 1.005.
    const last = rows.at(-1)
    const past = rows.filter(({ isCurrent }) => !isCurrent)
    expect(past.filter(({ timestamp }) => timestamp <= isoDay(1))).not.toEqual([])
    for (const { timestamp, tvl, rateBlock, tvlAsset } of past)
      expect([timestamp, tvl, rateBlock, tvlAsset]).toEqual(
        timestamp <= isoDay(1)
          ? [timestamp, '8.000000000000000000', null, 'WETH']
          : [timestamp, '8.040000000000000000', numberOf('update of ether'), 'WETH'],
      )
    expect(last).toMatchObject({ isCurrent: true, tvl: '8.040000000000000000' })
  })

  test('behavior: a rate that was never updated is read from the chain', async () => {
    const all = await readTvls(product, `filter: "${filterOf(gold)}", interval: 3600`)
    const rows = all.filter(({ supply }) => supply !== '0')
    // 40,000 USDS at 4,000 to the ounce.
    expect(rows.length).toBeGreaterThan(1)
    for (const row of rows)
      expect(row).toMatchObject({
        tvl: '10.000000000000000000',
        tvlAsset: 'XAU',
        supply: String(parseEther('10')),
        rate: String(parseEther('1')),
      })
  })

  test('behavior: a vault in deprecation, and one in which nothing ever happened', async () => {
    const of = (vault: Address) => `filter: "chainId = 11155111 AND vaultAddress = ${vault}"`
    const prime = vaultDeployment('Harbor Prime', 11_155_111).vault
    const held = await readTvls(product, `${of(sunset.vault)}, interval: 3600`)
    expect(held.find(({ supply }) => supply !== '0')?.tvl).toBe('500.000000')
    const rows = await readTvls(product, of(prime))
    expect(rows.at(-1)).toMatchObject({ isCurrent: true, supply: '0', holders: null })
    expect(new Set(rows.map(({ tvl }) => tvl))).toEqual(new Set(['0.000000000000000000']))
  })

  test('behavior: rows of now are pages like others, the last ones or the first', async () => {
    const ascending = await walkTvls(product, 'asc')
    const descending = await walkTvls(product, 'desc')
    const current = ascending.filter(({ timestamp }) => !/T..:00:00/.test(timestamp))
    expect(current.map(({ chainId, vaultAddress }) => `${chainId} ${vaultAddress}`)).toEqual(
      product.world.addressBook.vaults
        .flatMap(({ deployments }) => deployments)
        .map(({ chainId, vault }) => [chainId, vault.address] as const)
        .sort(([a, one], [b, two]) => a - b || (one < two ? -1 : 1))
        .map(([chainId, vault]) => `${chainId} ${getAddress(vault)}`),
    )
    expect(ascending.slice(-current.length)).toEqual(current)
    expect(descending.slice(0, current.length)).toEqual(current)
    const texts = (some: object[]) => some.map((row) => JSON.stringify(row)).toSorted()
    const past = ascending.slice(0, -current.length)
    expect(texts(descending.slice(current.length))).toEqual(texts(past))
  })
})

describe('growth', () => {
  test('default: of a week, or since the creation, at least a day; and of the week up to now', async () => {
    const rows = await readApys(product, `filter: "${filterOf(dollar)}"`)
    const days = Array.from({ length: 12 }, (_, index) => index - 1).filter(
      (day) => ageOn(day) >= DAY,
    )
    const last = blocks.last?.timestamp ?? 0
    expect(rows.map(({ timestamp }) => timestamp)).toEqual([...days.map(isoDay), iso(last)])
    expect(rows.map(({ isCurrent }) => isCurrent)).toEqual([...days.map(() => false), true])
    const windows = [...days.map((day) => Math.min(7 * DAY, ageOn(day))), 7 * DAY]
    expect(rows.map(({ windowSeconds }) => windowSeconds)).toEqual(windows)
    expect(rows[0]?.startTime).toBe(iso(blocks.creation?.timestamp ?? 0))
    const since = (day: number) => Math.min(7 * DAY, ageOn(day))
    expect(rows.slice(-11).map(({ apy }) => apy)).toEqual([
      '0',
      apyByDecimals(1_000_000n, 1_001_000n, since(2)),
      ...[3, 4, 5, 6, 7].map((day) => apyByDecimals(1_000_000n, 1_000_500n, since(day))),
      // 1.0005 ^ (365 / 7)
      '2.64075733889',
      // (1.0005 / 1.001) ^ (365 / 7)
      '-2.571546751842',
      '0',
      '0',
    ])
    const second = numberOf('second update')
    expect(rows.slice(-11).map(({ startBlock, endBlock }) => [startBlock, endBlock])).toEqual([
      [null, null],
      [null, numberOf('first update')],
      ...[3, 4, 5, 6, 7, 8].map(() => [null, second]),
      [numberOf('first update'), second],
      [second, second],
      [second, null],
    ])
  })

  test('behavior: the row of now begins with the rate of its first second, within an hour', async () => {
    // 210 hours before day 10.01: the second of the update of ether.
    const rows = await readApys(product, `filter: "${filterOf(ether)}", apyWindow: 756000`)
    expect(rows.at(-1)).toMatchObject({
      isCurrent: true,
      windowSeconds: 756_000,
      startRate: String(1_005n * 10n ** 15n),
      startBlock: numberOf('update of ether'),
      apy: '0',
    })
  })

  test('behavior: the row of now alone has other times, and the growth before the fees', async () => {
    const rows = await readApys(product, `filter: "${filterOf(dollar)}", apyWindow: 2592000`)
    const [now] = rows.slice(-1)
    if (!now) throw new Error('a row of now')
    expect(
      rows.slice(0, -1).filter((row) => row.windows !== null || row.grossApy !== null),
    ).toEqual([])
    // Eleven days: all of its life, in which the rate went to 1.0005, and no more since a week.
    const { windowSeconds } = now
    const sinceLaunch = apyByDecimals(1_000_000n, 1_000_500n, windowSeconds)
    expect(now.windows).toEqual({ day: '0', week: '0', month: null, sinceLaunch })
    const events = await worldClient(product.world, dollar.chainId).getLogs({
      address: dollar.current.accountant,
      events: accountantAbi.filter(({ name, type }) => type === 'event' && /Accrued$/.test(name)),
      fromBlock: 0n,
    })
    const accrued = events.reduce((sum, { data }) => sum + BigInt(data), 0n)
    expect(accrued).toBeGreaterThan(0n)
    // Both updates were at 1,000 shares, so a share bore a thousandth of a unit of each of their fees.
    expect(now.grossApy).toBe(
      apyByDecimals(1_000_000_000n, 1_000_500_000n + accrued, windowSeconds),
    )
    expect(Number(now.grossApy)).toBeGreaterThan(Number(now.apy))
    const [week] = await readApys(
      product,
      `filter: "${filterOf(dollar)}", orderByTimestamp: desc, pageSize: 1`,
    )
    expect(week).toMatchObject({ apy: '0', grossApy: '0' })
  })

  test('behavior: no row of now beside a range of the past, nor without includeCurrent', async () => {
    const last = blocks.last?.timestamp ?? 0
    const within = (end: number) => `startTime: ${midnight + 8 * DAY}, endTime: ${end}`
    for (const read of [readTvls, readApys]) {
      const currentOf = async (args: string) =>
        (await read(product, `filter: "${filterOf(dollar)}", ${args}`)).filter(
          (row) => row.isCurrent,
        )
      expect(await currentOf(within(midnight + 10 * DAY))).toEqual([])
      expect(await currentOf(within(last - 1))).toEqual([])
      expect(await currentOf('includeCurrent: false')).toEqual([])
      expect(await currentOf(within(last))).toHaveLength(1)
      expect(await currentOf('orderByTimestamp: desc, pageSize: 1')).toHaveLength(1)
    }
  })

  test('behavior: by hours, each to the last digit of what its own rates come to', async () => {
    const rows = await readApys(
      product,
      `filter: "${filterOf(dollar)}", interval: 3600, apyWindow: 86400, pageSize: 100`,
    )
    expect(rows).toHaveLength(100)
    for (const { startRate, endRate, windowSeconds, apy } of rows)
      expect(apy).toBe(apyByDecimals(BigInt(startRate), BigInt(endRate), windowSeconds))
    // 0.1 % in a day: 1.001 ^ 365
    expect(rows.map(({ apy }) => apy)).toContain('44.025131342958')
  })

  test('behavior: a rate that was never updated did not grow', async () => {
    const rows = await readApys(product, `filter: "${filterOf(gold)}", interval: 3600`)
    expect(rows.length).toBeGreaterThan(0)
    expect(new Set(rows.map(({ apy }) => apy))).toEqual(new Set(['0']))
  })
})

describe('positions', () => {
  const places = [
    ...['Harbor Ether', 'Harbor Prime', 'Harbor Dollar', 'Harbor Classic'].map((name) =>
      vaultDeployment(name, 1),
    ),
    gold,
    vaultDeployment('Harbor Prime', 11_155_111),
    sunset,
  ].toSorted(
    (a, b) => a.chainId - b.chainId || (a.vault.toLowerCase() < b.vault.toLowerCase() ? -1 : 1),
  )

  test('default: nothing of what one has not, and something of what is in deprecation', async () => {
    const { url, status, body } = await getPositions(product, alice.address)
    expect(undescribed(url, status, body)).toEqual([])
    expect(body.userPositions.map(({ chainId, vaultAddress }) => [chainId, vaultAddress])).toEqual(
      places.map(({ chainId, vault }) => [chainId, vault]),
    )
    const held = body.userPositions.filter(({ shareBalance }) => shareBalance !== '0')
    // Their accountants never updated a rate.
    const read = {
      stale: false,
      asOf: expect.any(String),
      hasTransferredShares: false,
      valueUsd: null,
    }
    expect(held).toEqual([
      {
        ...read,
        vaultAddress: gold.vault,
        chainId: 999,
        shareBalance: String(parseEther('10')),
        positionValueInBase: '10.000000000000000000',
        baseAssetAddress: gold.base,
        assetMetadata: expect.objectContaining({ symbol: 'XAU', decimals: 18 }),
        exchangeRateToBase: '1.000000000000000000',
        costBasis: '10.000000000000000000',
        realisedEarnings: '0.000000000000000000',
        unrealisedEarnings: '0.000000000000000000',
      },
      {
        ...read,
        vaultAddress: sunset.vault,
        chainId: 11_155_111,
        shareBalance: '500000000',
        positionValueInBase: '500.000000',
        baseAssetAddress: USDG,
        assetMetadata: expect.objectContaining({ symbol: 'USDG', decimals: 6 }),
        exchangeRateToBase: '1.000000',
        costBasis: '500.000000',
        realisedEarnings: '0.000000',
        unrealisedEarnings: '0.000000',
      },
    ])
    expect(body.tokenMetadata[`999:${gold.base}`]).toMatchObject({ symbol: 'XAU', decimals: '18' })
    expect(body.tokenMetadata[`999:${gold.vault}`]).toMatchObject({ symbol: 'hXAU' })
    expect(body.tokenMetadata[`1:${USDG}`]).toMatchObject({ symbol: 'USDG', decimals: '6' })
    expect(body.tokenMetadata[`1:${dollar.vault}`]).toMatchObject({ symbol: 'hUSD' })
  })

  test('behavior: what is left of deposits, transfers and withdrawals', async () => {
    const { body } = await getPositions(product, bob.address, filterOf(dollar))
    expect(body.userPositions).toEqual([
      {
        vaultAddress: dollar.vault,
        chainId: 1,
        shareBalance: '6995002',
        positionValueInBase: '6.998499',
        baseAssetAddress: USDG,
        assetMetadata: expect.objectContaining({ symbol: 'USDG', decimals: 6 }),
        exchangeRateToBase: '1.000500',
        costBasis: '6.998499',
        realisedEarnings: '-0.125000',
        unrealisedEarnings: '0.000000',
        hasTransferredShares: true,
        valueUsd: {
          amount: '6.99849900',
          feed: expect.stringMatching(/^1:0x/),
          updatedAt: expect.any(String),
        },
        stale: false,
        asOf: null,
      },
    ])
    const lost = await getPositions(product, zeroAddress, filterOf(dollar))
    expect(lost.body.userPositions).toMatchObject([
      { shareBalance: '3000000', positionValueInBase: '3.001500' },
    ])
    const strange = await getPositions(product, carol.address, 'chainId = 11155111')
    expect(strange.body.userPositions.map(({ shareBalance }) => shareBalance)).toEqual(['0'])
  })
})

/** Seconds from the creation of the dollar vault to the start of a day. */
function ageOn(day: number): number {
  return midnight + day * DAY - (blocks.creation?.timestamp ?? 0)
}

function numberOf(deed: string): number {
  const block = blocks[deed]
  if (!block) throw new Error(`no block is recorded for ${deed}`)
  return block.number
}

function filterOf({ chainId, vault }: VaultDeployment): string {
  return `chainId = ${chainId} AND vaultAddress = ${vault}`
}

function iso(time: number): string {
  return new Date(time * 1_000).toISOString()
}

function isoDay(day: number): string {
  return iso(midnight + day * DAY)
}
