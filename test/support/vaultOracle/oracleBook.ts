import type { UserPositionRow } from './answers.ts'

/** The oracle's part of the address book's file. Addresses may be in any case. */
export type OracleBook = {
  tokens: BookToken[]
  vaults?: { deployments: BookDeployment[] }[] | undefined
}

type BookToken = {
  chainId: number
  address: string
  name: string
  symbol: string
  decimals: number
  coinGeckoId?: string | undefined
  usdFeed?: { chainId: number; address: string; maxAgeSeconds: number } | undefined
}

type Version = { address: string; fromBlock: number; toBlock?: number | 'unknown' | undefined }

type CapUnit = 'shares' | 'value'

type BookDeployment = {
  chainId: number
  vault: { address: string }
  baseToken: string
  baseTokenStandIn?:
    | { symbol: string; decimals: number; coinGeckoId?: string | undefined }
    | undefined
  tellers: Version[]
  accountants: Version[]
  depositors: (Version & { capIn?: CapUnit | undefined })[]
  queues: Version[]
  assets: { address: string }[]
  inDeprecation?: boolean | undefined
}

/** A vault on one chain. Addresses are lower case. */
export type OracleDeployment = {
  chainId: number
  vault: string
  base: string
  baseSymbol: string
  baseMetadata: UserPositionRow['assetMetadata']
  usdFeed: BookToken['usdFeed']
  /** Whether the base is a token, not a stand-in contract. */
  isBaseToken: boolean
  /** Oldest first, the last in use. */
  accountants: OracleVersion[]
  queues: string[]
  depositor: string
  /** All that it has had, as the queues above. */
  depositors: string[]
  tellers: string[]
  /** The unit of the depositor's `supplyCap()`. */
  capIn: CapUnit
  assets: string[]
  inDeprecation: boolean
}

export type OracleVersion = { address: string; fromBlock: number }

/** The deployments of some chains, by chain and vault. */
export function oracleDeployments(book: OracleBook, chainIds: number[]): OracleDeployment[] {
  const entries = (book.vaults ?? []).flatMap(({ deployments }) => deployments)
  return entries
    .filter(({ chainId }) => chainIds.includes(chainId))
    .map((entry) => describe(book, entry))
    .sort((a, b) => a.chainId - b.chainId || compareText(a.vault, b.vault))
}

/** Sorts texts by their characters, as hex of one case sorts by its bytes. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function describe(book: OracleBook, entry: BookDeployment): OracleDeployment {
  const { chainId, baseTokenStandIn: standIn, inDeprecation = false } = entry
  const base = entry.baseToken.toLowerCase()
  const token = book.tokens.find(
    ({ address, ...of }) => of.chainId === chainId && address.toLowerCase() === base,
  )
  const lower = (versions: Version[]) => versions.map(({ address }) => address.toLowerCase())
  return {
    chainId,
    vault: entry.vault.address.toLowerCase(),
    base,
    baseSymbol: standIn?.symbol ?? token?.symbol ?? '',
    baseMetadata: {
      name: standIn?.symbol ?? token?.name ?? '',
      symbol: standIn?.symbol ?? token?.symbol ?? '',
      decimals: standIn?.decimals ?? token?.decimals ?? 0,
      tokenStandard: standIn ? 'NONE' : 'ERC20',
      coinGeckoId: (standIn ?? token)?.coinGeckoId ?? null,
    },
    usdFeed: standIn ? undefined : token?.usdFeed,
    isBaseToken: standIn === undefined,
    accountants: entry.accountants.map(({ address, fromBlock }) => ({
      address: address.toLowerCase(),
      fromBlock,
    })),
    queues: lower(entry.queues),
    depositor: lower(entry.depositors).at(-1) ?? '',
    depositors: lower(entry.depositors),
    tellers: lower(entry.tellers),
    capIn: entry.depositors.at(-1)?.capIn ?? 'value',
    assets: entry.assets.map(({ address }) => address.toLowerCase()),
    inDeprecation,
  }
}
