import { getAddress } from 'viem'
import type { ListComparison } from '../support/comparePages.ts'
import { type DrawnFilter, drawFilter, type FilterValues } from '../support/drawnFilters.ts'
import type { SeededRandom } from '../support/seededRandom.ts'
import { logsOf } from '../support/vaultOracle/oracleChain.ts'
import { EXIT } from '../support/vaultOracle/oracleOrders.ts'
import type { SeriesQuery } from '../support/vaultOracle/oracleSeries.ts'
import type { VolumeQuery } from '../support/vaultOracle/oracleVolumes.ts'
import type { VaultOracle } from '../support/vaultOracle.ts'

/** One query of a list with every row that the oracle expects. */
export type DrawnQuery = Pick<
  ListComparison,
  'path' | 'member' | 'params' | 'rows' | 'selection' | 'mayBeShort'
>

export type Drawing = {
  oracle: VaultOracle
  random: SeededRandom
  /** The accounts whose positions and requests are asked for, also some that have none. */
  accounts: readonly [string, ...string[]]
}

const HOUR = 3_600
const DAY = 86_400
const DEFAULT_LOOKBACK = 2_592_000
const DEFAULT_APY_WINDOW = 604_800
const YEAR = 31_536_000
/** The selection of GraphQL, with fields that REST lacks. */
const SERIES_SELECTION = 'vaultAddress chainId timestamp interval'
const TVL_SELECTION = `${SERIES_SELECTION} tvl tvlAsset supply rate holders supplyBlock rateBlock isCurrent`
const ACTIVITY_TYPES = [
  'DEPOSIT',
  'WITHDRAWAL_REQUESTED',
  'WITHDRAWAL_COMPLETED',
  'WITHDRAWAL_ATOMIC',
  'WITHDRAWAL_REFUND_REQUESTED',
  'WITHDRAWAL_REFUNDED',
  'TRANSFER_IN',
  'TRANSFER_OUT',
] as const
const APY_SELECTION = `${SERIES_SELECTION} apy windowSeconds windows { day week month sinceLaunch } grossApy startRate endRate startBlock endBlock startTime isCurrent`
const NOBODY = '0x00000000000000000000000000000000000000b6'

/** Draws a random query of each of Earn's lists. */
export const VAULT_QUERIES = {
  async supplyCaps(drawing: Drawing): Promise<DrawnQuery> {
    return filtered(drawing, 'supplyCaps', await drawing.oracle.supplyCaps())
  },
  async userPositions(drawing: Drawing): Promise<DrawnQuery> {
    const { oracle, random, accounts } = drawing
    const userAddress = random.pick(accounts)
    const rows = await oracle.userPositions(userAddress)
    return withParams(filtered(drawing, 'userPositions', rows), { userAddress })
  },
  async vaultCompositions(drawing: Drawing): Promise<DrawnQuery> {
    return filtered(drawing, 'vaultCompositions', await drawing.oracle.vaultCompositions())
  },
  async withdrawalRequests(drawing: Drawing): Promise<DrawnQuery> {
    const rows = await drawing.oracle.withdrawalRequests()
    const [one, ...others] = rows.map(({ txHash }) => txHash)
    const values = {
      userAddress: drawing.accounts,
      receiverAddress: drawing.accounts,
      txHash: [one ?? `0x${'ab'.repeat(32)}`, ...others],
      status: ['PENDING', 'COMPLETE', 'PENDING_REFUND', 'REFUNDED'],
      orderIndex: ['1', '2', '7'],
    } as const
    return filtered(drawing, 'withdrawalRequests', rows, values)
  },
  async activity(drawing: Drawing): Promise<DrawnQuery> {
    const { oracle, random, accounts } = drawing
    const [key, value] = random.chance(0.6)
      ? (['userAddress', random.pick(accounts)] as const)
      : (['vaultAddress', pickVault(oracle, random)] as const)
    const inside = (await oracle.activity()).filter(
      (row) => row[key].toLowerCase() === value.toLowerCase(),
    )
    const { startTime, endTime } = drawWindow(oracle, random)
    const rows = inside.filter(({ timestamp }) => {
      const time = Date.parse(timestamp) / 1_000
      return (
        (startTime === undefined || time > startTime) && (endTime === undefined || time <= endTime)
      )
    })
    const values = { userAddress: accounts, type: ACTIVITY_TYPES } as const
    const query = filtered(drawing, 'activity', rows, values)
    const rest = query.params.filter ? ` AND ${query.params.filter}` : ''
    const bounds = Object.entries({ startTime, endTime }).filter(([, time]) => time !== undefined)
    return {
      ...query,
      mayBeShort: rest !== '',
      params: {
        filter: `${key} = ${value}${rest}`,
        ...texts(Object.fromEntries(bounds)),
      },
    }
  },
  async liquidityShortfalls(drawing: Drawing): Promise<DrawnQuery> {
    return filtered(drawing, 'liquidityShortfalls', await drawing.oracle.liquidityShortfalls())
  },
  async withdrawalVolumes({ oracle, random }: Drawing): Promise<DrawnQuery> {
    const vaultAddress = pickVault(oracle, random)
    const query = drawVolumes(oracle, random)
    const there = oracle.deployments.filter(({ vault }) => getAddress(vault) === vaultAddress)
    const [first, ...others] = there.map((deployment) => String(deployment.chainId))
    const chainId = first && random.chance(0.3) ? random.pick([first, ...others]) : null
    const rows = oracle.withdrawalVolumes(vaultAddress, query)
    return {
      ...namesOf('withdrawalVolumes'),
      params: texts({ vaultAddress, ...query, ...(chainId ? { chainId } : {}) }),
      rows: rows.filter((row) => chainId === null || String(row.chainId) === chainId),
    }
  },
  async vaultTvls(drawing: Drawing): Promise<DrawnQuery> {
    const { oracle, random } = drawing
    const { params, query, order } = drawSeries(oracle, random)
    const includeCurrent = random.chance(0.6)
    const rows = await oracle.vaultTvls({ ...query, includeCurrent }, order)
    const isGraphql = random.chance(0.4)
    const restRows = rows.map(
      ({ supply, rate, holders, supplyBlock, rateBlock, isCurrent, ...row }) => row,
    )
    const asked = filtered(drawing, 'vaultTvls', isGraphql ? rows : restRows)
    return withParams(isGraphql ? { ...asked, selection: TVL_SELECTION } : asked, {
      ...params,
      ...(includeCurrent && random.chance(0.5) ? {} : { includeCurrent: String(includeCurrent) }),
    })
  },
  async vaultApys(drawing: Drawing): Promise<DrawnQuery> {
    const { oracle, random } = drawing
    const { params, query, order } = drawSeries(oracle, random)
    const apyWindow = random.pick([null, null, DAY, 34 * HOUR, 30 * DAY, YEAR])
    const includeCurrent = random.chance(0.6)
    const rows = await oracle.vaultApys(
      { ...query, apyWindow: apyWindow ?? DEFAULT_APY_WINDOW, includeCurrent },
      order,
    )
    const isGraphql = random.chance(0.4)
    const restRows = rows.map(
      ({ startRate, endRate, startBlock, endBlock, startTime, isCurrent, ...row }) => row,
    )
    const asked = filtered(drawing, 'vaultApys', isGraphql ? rows : restRows)
    return withParams(isGraphql ? { ...asked, selection: APY_SELECTION } : asked, {
      ...params,
      ...(apyWindow ? { apyWindow: String(apyWindow) } : {}),
      ...(includeCurrent && random.chance(0.5) ? {} : { includeCurrent: String(includeCurrent) }),
    })
  },
} as const

export type VaultList = keyof typeof VAULT_QUERIES

function namesOf(list: VaultList) {
  return { path: `/v2/earn/${list}`, member: list }
}

/** The list with a random filter: by vault and chain, and the given keys. */
function filtered(
  { oracle, random }: Pick<Drawing, 'oracle' | 'random'>,
  list: VaultList,
  ...[rows, values = {}]: [object[], FilterValues?]
): DrawnQuery {
  const vault = () => pickVault(oracle, random)
  const filter: DrawnFilter = drawFilter(random, {
    vaultAddress: [vault(), vault(), vault().toLowerCase(), NOBODY],
    chainId: chainsOf(oracle),
    ...values,
  })
  return {
    ...namesOf(list),
    params: filter.text === '' ? {} : { filter: filter.text },
    rows: rows.filter(filter.matches),
  }
}

function withParams(query: DrawnQuery, params: Record<string, string>): DrawnQuery {
  return { ...query, params: { ...query.params, ...params } }
}

function pickVault({ deployments }: VaultOracle, random: SeededRandom): string {
  const [first = NOBODY, ...others] = deployments.map(({ vault }) => getAddress(vault))
  return random.pick([first, ...others])
}

function chainsOf({ chains }: VaultOracle): [string, ...string[]] {
  const [first = '0', ...others] = chains.map(({ chainId }) => String(chainId))
  return [first, ...others]
}

/** A range of any length that still has few rows, also beyond the ends of the history, also to the second. */
function drawSeries(oracle: VaultOracle, random: SeededRandom) {
  const interval = random.pick([HOUR, 3 * HOUR, DAY, DAY, 7 * DAY])
  const order = random.pick(['asc', 'desc'] as const)
  const length = interval * random.integer(1, 30)
  const ends = drawEnds(oracle, random, { interval, length })
  const isDefault = interval === DAY && random.chance(0.3)
  const lookback = isDefault ? DEFAULT_LOOKBACK : length
  const query: SeriesQuery = { interval, lookback, ...ends }
  const params = {
    ...(interval === DAY && random.chance(0.5) ? {} : { interval }),
    ...(isDefault ? {} : { lookback }),
    ...(order === 'asc' && random.chance(0.5) ? {} : { orderByTimestamp: order }),
    ...ends,
  }
  return { query, order, params: texts(params) }
}

function drawEnds(
  oracle: VaultOracle,
  random: SeededRandom,
  { interval, length }: { interval: number; length: number },
): { startTime?: number; endTime?: number } {
  if (random.chance(0.4)) return {}
  const end = drawTime(oracle, random)
  const endTime = random.chance(0.5) ? end : end - (end % interval)
  return { startTime: endTime - length + random.pick([0, 0, 1, -1]), endTime }
}

function drawVolumes(oracle: VaultOracle, random: SeededRandom): VolumeQuery {
  const interval = random.pick([null, HOUR, 3 * HOUR, DAY])
  const times = [drawTime(oracle, random), drawTime(oracle, random)].toSorted((a, b) => a - b)
  const [startTime = 0, endTime = 0] = times
  const query = { startTime, endTime: random.chance(0.3) ? endTime + 60 * DAY : endTime }
  return interval === null ? query : { ...query, interval }
}

/** No bound, both, or only the end. */
function drawWindow(
  oracle: VaultOracle,
  random: SeededRandom,
): { startTime?: number; endTime?: number } {
  if (random.chance(0.7)) return {}
  const { startTime, endTime } = drawVolumes(oracle, random)
  return random.chance(0.2) ? { endTime } : { startTime, endTime }
}

/** Times at which a mistake would show: at an event, next to it, and the full hours around it. */
function drawTime({ chains }: VaultOracle, random: SeededRandom): number {
  const [first, ...others] = chains
  if (!first) throw new Error('Invariant(drawTime): an oracle has chains')
  const { logs, head } = random.pick([first, ...others])
  // Most logs are approvals or of other contracts, so payments from a vault get more weight.
  const exits = logsOf({ logs }, [...new Set(logs.map(({ address }) => address))], EXIT)
  const [one, ...more] = (random.chance(0.5) && exits.length > 0 ? exits : logs).map(
    ({ time }) => time,
  )
  const time = random.pick([one ?? head.time, ...more])
  const hour = time - (time % HOUR)
  return random.pick([time, time, time - 1, time + 1, hour, hour + HOUR, hour - DAY, time + DAY])
}

function texts(values: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]))
}
