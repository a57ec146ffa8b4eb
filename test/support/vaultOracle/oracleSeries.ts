import { getAddress } from 'viem'
import {
  isoTime,
  type VaultApyBeyond,
  type VaultApyRow,
  type VaultTvlBeyond,
  type VaultTvlRow,
} from './answers.ts'
import { compareText, type OracleDeployment } from './oracleBook.ts'
import { logsOf, type OracleChain, type OracleLog } from './oracleChain.ts'
import { apyPercent, human } from './oracleNumbers.ts'
import { addressIn } from './oracleRpc.ts'

const DAY = 86_400

/** Seconds. Without an end, the time of the chain's head; without a start, `lookback` before the end. */
export type SeriesQuery = {
  interval: number
  lookback: number
  startTime?: number
  endTime?: number
}

/** A row with the time that it is sorted by, in Unix seconds. */
export type Dated<Row> = { time: number; isCurrent: boolean; row: Row }

type At = { chain: OracleChain; deployment: OracleDeployment }

export const SHARE_TRANSFER = ['event Transfer(address indexed,address indexed,uint256)']
export const SHARE_MINT = [
  'event Enter(address indexed,address indexed,uint256,address indexed,uint256)',
]
export const SHARE_BURN = [
  'event Exit(address indexed,address indexed,uint256,address indexed,uint256)',
]
const OWNER_SET = ['event OwnershipTransferred(address indexed,address indexed)']
export const RATE_UPDATED = ['event ExchangeRateUpdated(uint96,uint96,uint64)']

/** The TVL of a vault at the ends of the intervals. */
export async function tvlRows(
  at: At,
  query: SeriesQuery,
): Promise<Dated<VaultTvlRow & VaultTvlBeyond>[]> {
  const { chain, deployment } = at
  const { vault } = deployment
  const decimals = await chain.ask({ to: vault }, 'decimals()')
  const supplied = supplyMoves(at)
  const describe = async (time: number, block: number, isCurrent: boolean) => {
    const [supply, rate, holders] = await Promise.all([
      chain.try({ to: vault, block }, 'totalSupply()'),
      rateAt(at, block),
      isCurrent ? null : countHolders(at, block),
    ])
    const [shares = 0n] = supply ?? []
    return {
      time,
      isCurrent,
      row: {
        vaultAddress: getAddress(vault),
        chainId: chain.chainId,
        timestamp: isoTime(time),
        interval: String(query.interval),
        tvl: human((shares * rate) / 10n ** decimals, Number(decimals)),
        tvlAsset: deployment.baseSymbol,
        supply: String(shares),
        rate: String(rate),
        holders,
        isCurrent,
        // The row for now is read from the chain and has no event.
        supplyBlock: isCurrent
          ? null
          : (supplied.findLast((log) => log.block <= block)?.block ?? null),
        rateBlock: isCurrent ? null : rateBlock(at, block),
      },
    }
  }
  const past = rowTimes(at, query).map(({ time, block }) => describe(time, block, false))
  const { time, number } = chain.head
  const now = includesNow(at, query) ? [describe(time, number, true)] : []
  return Promise.all([...past, ...now])
}

/** Whether the time of the head is in the requested range. */
function includesNow({ chain: { head } }: At, { startTime, endTime }: SeriesQuery): boolean {
  return head.time > (startTime ?? 0) && head.time <= (endTime ?? head.time)
}

/** The yield of a vault over the window before the ends of the intervals. */
export async function apyRows(
  at: At,
  query: SeriesQuery & { apyWindow: number },
): Promise<Dated<VaultApyRow & VaultApyBeyond>[]> {
  const { chain, deployment } = at
  const born = firstBlock(at)
  if (born === null) return []
  const first = chain.timeOf(born)
  const decimals = await chain.ask({ to: deployment.vault }, 'decimals()')
  const describe = async (time: number, block: number, isCurrent: boolean) => {
    const windowSeconds = Math.min(query.apyWindow, time - first)
    const startTime = time - windowSeconds
    const startBlock = chain.blockAt(startTime) ?? 0
    const [startRate, endRate] = await Promise.all([rateAt(at, startBlock), rateAt(at, block)])
    return {
      time,
      isCurrent,
      row: {
        vaultAddress: getAddress(deployment.vault),
        chainId: chain.chainId,
        timestamp: isoTime(time),
        interval: String(query.interval),
        apy: apyPercent(startRate, endRate, windowSeconds),
        windowSeconds,
        windows: isCurrent ? await apyWindows(at, { time, endRate, age: time - first }) : null,
        grossApy: isCurrent
          ? grossApy(at, { startRate, endRate, startTime, time, decimals, windowSeconds })
          : null,
        startRate: String(startRate),
        endRate: String(endRate),
        startBlock: rateBlock(at, startBlock),
        endBlock: isCurrent ? null : rateBlock(at, block),
        startTime: isoTime(startTime),
        isCurrent,
      },
    }
  }
  const isOldEnough = ({ time }: { time: number }) => time - first >= DAY
  const past = rowTimes(at, query)
    .filter(isOldEnough)
    .map(({ time, block }) => describe(time, block, false))
  const { head } = chain
  const now =
    includesNow(at, query) && isOldEnough(head) ? [describe(head.time, head.number, true)] : []
  return Promise.all([...past, ...now])
}

type Now = { time: number; endRate: bigint; age: number }

async function apyWindows(at: At, { time, endRate, age }: Now) {
  const over = async (seconds: number) => {
    if (age < seconds) return null
    const startRate = await rateAt(at, at.chain.blockAt(time - seconds) ?? 0)
    return apyPercent(startRate, endRate, seconds)
  }
  const [day, week, month, sinceLaunch] = await Promise.all([DAY, 7 * DAY, 30 * DAY, age].map(over))
  return { day, week, month, sinceLaunch } as NonNullable<VaultApyRow['windows']>
}

type Window = {
  startRate: bigint
  endRate: bigint
  startTime: number
  time: number
  decimals: bigint
  windowSeconds: number
}

const FEES = ['event ManagementFeesAccrued(uint256)', 'event PerformanceFeesAccrued(uint256)']
/** Fees per share are rounded far beyond the decimals of an answer. */
const FINE = 10n ** 40n

/** The growth with what each update of the rate charged, per share that there was then. */
function grossApy(at: At, { startTime, time, decimals, ...rates }: Window): string | null {
  let feesPerShare = 0n
  for (const update of rateUpdates(at).filter((log) => log.time > startTime && log.time <= time)) {
    const fees = feesOf(at, update)
    if (fees === null) return null
    const supply = supplyAt(at, update)
    if (supply > 0n) feesPerShare += (fees * 10n ** decimals * FINE) / supply
  }
  const { startRate, endRate, windowSeconds } = rates
  return apyPercent(startRate * FINE, endRate * FINE + feesPerShare, windowSeconds)
}

/** From the events between this update and the one before; null if the accountant has none. */
function feesOf({ chain }: At, { address, transaction, index }: OracleLog): bigint | null {
  const before = logsOf(chain, [address], RATE_UPDATED).findLast(
    (log) => log.transaction === transaction && log.index < index,
  )
  const accrued = logsOf(chain, [address], FEES).filter(
    (log) =>
      log.transaction === transaction && log.index < index && log.index > (before?.index ?? -1),
  )
  if (accrued.length === 0) return null
  return accrued.reduce((sum, { words: [fee = 0n] }) => sum + fee, 0n)
}

/** The shares just before a log. */
function supplyAt({ chain, deployment: { vault } }: At, { block, index }: OracleLog): bigint {
  const sum = (signatures: string[]) =>
    logsOf(chain, [vault], signatures)
      .filter((log) => log.block < block || (log.block === block && log.index < index))
      .reduce((total, { words: [, shares = 0n] }) => total + shares, 0n)
  return sum(SHARE_MINT) - sum(SHARE_BURN)
}

type Placed = { chainId: number; vaultAddress: string }

/** Sorts rows like a series: rows for now are the newest, whatever the times of their blocks. */
export function sortSeries<Row extends Placed>(
  rows: Dated<Row>[],
  order: 'asc' | 'desc',
): Dated<Row>[] {
  const sign = order === 'asc' ? 1 : -1
  return rows.toSorted(
    (a, b) =>
      sign * (Number(a.isCurrent) - Number(b.isCurrent)) ||
      (a.isCurrent ? 0 : sign * (a.time - b.time)) ||
      a.row.chainId - b.row.chainId ||
      compareText(a.row.vaultAddress.toLowerCase(), b.row.vaultAddress.toLowerCase()),
  )
}

/** The multiples of the interval in (start, end] at which the vault existed and the index has facts. */
function rowTimes(at: At, { interval, lookback, startTime, endTime }: SeriesQuery) {
  const { chain } = at
  const end = endTime ?? chain.head.time
  const start = startTime ?? end - lookback
  const first = firstBlock(at)
  if (first === null) return []
  const times: { time: number; block: number }[] = []
  for (let time = (Math.floor(start / interval) + 1) * interval; time <= end; time += interval) {
    const block = chain.blockAt(time)
    if (time <= chain.head.time && block !== null && time >= chain.timeOf(first))
      times.push({ time, block })
  }
  return times
}

/** The block of the vault's constructor, which emits its first log; null before. */
export function firstBlock({ chain, deployment: { vault } }: At): number | null {
  const logs = logsOf(chain, [vault], OWNER_SET)
  return logs.length === 0 ? null : Math.min(...logs.map(({ block }) => block))
}

/** Mints and burns of more than nothing. */
function supplyMoves({ chain, deployment: { vault } }: At): OracleLog[] {
  return logsOf(chain, [vault], [...SHARE_MINT, ...SHARE_BURN]).filter(
    ({ words: [, shares] }) => shares !== 0n,
  )
}

/** The rate of the accountant that was in use. */
function rateUpdates({ chain, deployment }: At): OracleLog[] {
  const accountants = deployment.accountants.map(({ address }) => address)
  return logsOf(chain, accountants, RATE_UPDATED).filter(
    ({ address, block }) => address === accountantAt(deployment, block),
  )
}

export function accountantAt({ accountants }: OracleDeployment, block: number): string {
  const [first] = accountants
  const found = accountants.findLast(({ fromBlock }) => fromBlock <= block) ?? first
  return found?.address ?? ''
}

/** By the accountant in use at the block; before its creation, its first rate. */
export async function rateAt({ chain, deployment }: At, block: number): Promise<bigint> {
  const to = accountantAt(deployment, block)
  for (let candidate = block; candidate <= chain.head.number; candidate += 1) {
    const [rate] = (await chain.try({ to, block: candidate }, 'getRate()')) ?? []
    if (rate !== undefined) return rate
  }
  throw new Error(`Chain ${chain.chainId}: ${to} never had a rate`)
}

function rateBlock(at: At, block: number): number | null {
  return rateUpdates(at).findLast((log) => log.block <= block)?.block ?? null
}

/** The holders at the block, out of all accounts that shares were ever sent to. */
async function countHolders({ chain, deployment: { vault } }: At, block: number): Promise<number> {
  const transfers = logsOf(chain, [vault], SHARE_TRANSFER).filter((log) => log.block <= block)
  const accounts = new Set(transfers.map(({ indexed }) => addressIn(indexed[1])))
  accounts.delete(addressIn(0n))
  const balances = await Promise.all(
    [...accounts].map((account) =>
      chain.ask({ to: vault, block }, 'balanceOf(address)', [account]),
    ),
  )
  return balances.filter((balance) => balance > 0n).length
}
