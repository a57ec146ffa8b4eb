import { type Address, formatUnits, getAddress } from 'viem'
import { apy } from '../../domain/earn/series/apy.ts'
import type { SeededRandom } from '../support/seededRandom.ts'
import type { BookVault } from '../support/vaultBook.ts'
import { stateAt, type VaultLife, type VaultMoment } from '../support/vaultLives.ts'

export const HOUR = 3_600
export const DAY = 24 * HOUR
export const START = 1_700_006_400
export const address = (digit: string): Address => `0x${digit.repeat(40)}`

export const VAULTS: BookVault[] = [
  { chainId: 1, vault: address('b'), base: 'six decimals' },
  { chainId: 1, vault: address('a'), base: 'eighteen decimals' },
  { chainId: 4663, vault: address('a'), base: 'six decimals' },
  { chainId: 4663, vault: address('c'), base: 'a stand-in of eight', inDeprecation: true },
  { chainId: 4663, vault: address('e'), base: 'six decimals' },
]
const DECIMALS = { 'six decimals': 6, 'eighteen decimals': 18, 'a stand-in of eight': 8 }
const SYMBOLS = { 'six decimals': 'SIX', 'eighteen decimals': 'BIG', 'a stand-in of eight': 'XAU' }
/** In the order of series. */
const ORDERED = VAULTS.toSorted((a, b) => a.chainId - b.chainId || (a.vault < b.vault ? -1 : 1))

/** The first heads of the chains. */
export const FIRST_HEADS: Record<number, number> = {
  1: START + 40 * DAY + 1_234,
  4663: START + 38 * DAY,
}

export type SeriesRow = {
  vaultAddress: Address
  chainId: number
  timestamp: string
  interval: string
  stale: boolean
  asOf: string | null
}
export type AskedSeries = {
  interval?: number
  lookback?: number
  startTime?: number
  endTime?: number
  orderByTimestamp?: 'asc' | 'desc'
  apyWindow?: number
  includeCurrent?: boolean
}

/** The vaults' histories so far, and the head time of each chain. */
export type SeriesTruth = { lives: VaultLife[]; heads: Record<number, number> }
/** Seconds after the start, and the end of its history. */
type Birth = { entry: BookVault; bornAfter: number; head: number }

/** An expected row. */
type Expected = {
  life: VaultLife
  entry: BookVault
  at: number
  state: VaultMoment
  interval: number
}

/** All expected rows, found by visiting every multiple of the interval in every history. */
export function expectedRows(
  { lives, heads }: SeriesTruth,
  asked: AskedSeries,
  { filter, minimumAge = 0 }: { filter?: string | undefined; minimumAge?: number } = {},
): Expected[] {
  const { interval = DAY, orderByTimestamp = 'asc' } = asked
  const rows = ORDERED.flatMap((entry) => {
    const life = lives.find(
      ({ chainId, vault }) => chainId === entry.chainId && vault === entry.vault,
    )
    if (!life || !isSelected(entry, filter)) return []
    const head = heads[entry.chainId] ?? 0
    const start = asked.startTime ?? head - (asked.lookback ?? 30 * DAY)
    const end = Math.min(asked.endTime ?? head, head)
    const found: Expected[] = []
    const first = Math.ceil((life.states[0].time + minimumAge) / interval) * interval
    for (let at = first; at <= end; at += interval) {
      const state = stateAt(life, at)
      if (at > start && state) found.push({ life, entry, at, state, interval })
    }
    return found
  })
  const sign = orderByTimestamp === 'asc' ? 1 : -1
  return rows.sort(
    (a, b) => sign * (a.at - b.at) || ORDERED.indexOf(a.entry) - ORDERED.indexOf(b.entry),
  )
}

function isSelected({ chainId, vault }: BookVault, filter?: string): boolean {
  const selected: Record<string, boolean> = {
    'chainId = 1': chainId === 1,
    'chainId != 1': chainId !== 1,
    'chainId = 4663': chainId === 4663,
    'chainId = 1 AND chainId = 4663': false,
    [`vaultAddress = ${address('b')}`]: vault === address('b'),
    [`vaultAddress = ${getAddress(address('a'))}`]: vault === address('a'),
  }
  return filter === undefined || selected[filter] === true
}

/** A row of the answer without its value. */
export function toRow({ entry, at, interval }: Expected): SeriesRow {
  return {
    vaultAddress: getAddress(entry.vault),
    chainId: entry.chainId,
    interval: String(interval),
    timestamp: new Date(at * 1_000).toISOString(),
    stale: false,
    asOf: null,
  }
}

/** The key of a row across pages. */
export function keyOf({ entry, at }: Expected): string {
  return `${at} ${entry.chainId} ${entry.vault}`
}

export function expectedTvl({ entry, life, state }: Expected) {
  const decimals = DECIMALS[entry.base]
  const worth = (state.supply * (state.rate ?? life.openingRate ?? 0n)) / 10n ** BigInt(decimals)
  const [whole, part = ''] = formatUnits(worth, decimals).split('.')
  return { tvl: `${whole}.${part.padEnd(decimals, '0')}`, tvlAsset: SYMBOLS[entry.base] }
}

export function expectedApy({ life, at, state }: Expected, apyWindow = 7 * DAY) {
  const windowSeconds = Math.min(apyWindow, at - life.states[0].time)
  const before = stateAt(life, at - windowSeconds)
  const rateOf = (moment?: VaultMoment) => moment?.rate ?? life.openingRate ?? 0n
  const rates = { startRate: rateOf(before), endRate: rateOf(state) }
  // Only rows of now have these two.
  const ofNow = { windows: null, grossApy: null }
  return { apy: apy({ ...rates, windowSeconds }), windowSeconds, ...ofNow }
}

/**
 * Random changes at any second, some at full hours. Four days of mints precede the first rate, unless the
 * first block sets it; sometimes all shares are burnt.
 */
export function drawLife(random: SeededRandom, { entry, bornAfter, head }: Birth): VaultLife {
  const unit = 10n ** BigInt(DECIMALS[entry.base])
  let time = START + bornAfter + random.integer(0, 5) * 600
  let block = 100 + bornAfter
  const states: VaultMoment[] = []
  let state = { supply: 0n, holders: 0, supplyBlock: null, rate: null, rateBlock: null } as Omit<
    VaultMoment,
    'time' | 'block'
  >
  while (time <= head) {
    const isUpdate =
      states.length === 0
        ? bornAfter > 6 * DAY
        : time > START + bornAfter + 4 * DAY && random.chance(0.4)
    const thousandths = BigInt(random.integer(999, 1_002))
    state = isUpdate
      ? { ...state, rate: ((state.rate ?? unit) * thousandths) / 1_000n, rateBlock: block }
      : {
          ...state,
          supplyBlock: block,
          holders: random.integer(0, 9),
          supply: random.chance(0.1) ? 0n : BigInt(random.integer(1, 10 ** 9)) * 1_000_003n,
        }
    states.push({ ...state, time, block })
    const next = time + (random.chance(0.1) ? 3 * DAY : random.integer(1, 4 * HOUR))
    time = random.chance(0.2) ? Math.ceil(next / HOUR) * HOUR : next
    block += 1
  }
  const [first, ...others] = states
  if (!first) throw new Error('a life has a first state')
  // If the first block set the rate, the index has it as the opening rate.
  return { ...entry, openingRate: first.rate ?? unit, states: [first, ...others] }
}
