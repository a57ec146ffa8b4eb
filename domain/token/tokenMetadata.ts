import type { Address } from 'viem'
import type { SharedServices } from '../context.ts'
import { unlessUnavailable } from '../error/unlessUnavailable.ts'
import { checksummed } from './checksummed.ts'
import type { Token } from './tokenReader.ts'

/** The wire form of a token: snake case, all strings. */
type TokenMetadata = {
  chain_id: string
  address: string
  name: string
  symbol: string
  decimals: string
  token_standard: string
  coin_gecko_id?: string
}

export type TokenMetadataMap = Record<string, TokenMetadata>

/**
 * Metadata keyed `<chainId>:<checksummed address>`, and by the address alone for older clients unless
 * two chains have it with different decimals. `known` tokens are added to the wanted ones. A token that
 * cannot be read is left out. Synchronous if all tokens are known, which is the usual case: a
 * promise per order would slow lists down.
 */
export function tokenMetadata(
  { tokens }: Pick<SharedServices, 'tokens'>,
  wanted: { chainId: number; address: Address }[],
  known: Token[] = [],
): TokenMetadataMap | Promise<TokenMetadataMap> {
  const found = wanted.map(({ chainId, address }) => tokens.known(chainId, address))
  if (found.every((token) => token !== undefined)) return toMap([...known, ...found])
  const places = new Map(wanted.map((place) => [`${place.chainId}:${place.address}`, place]))
  const read = [...places.values()].map(({ chainId, address }) =>
    tokens.get(chainId, address).catch(unlessUnavailable),
  )
  return Promise.all(read).then((all) =>
    toMap([...known, ...all.filter((token) => token !== null)]),
  )
}

function toMap(read: Token[]): TokenMetadataMap {
  const map: TokenMetadataMap = {}
  /** By address; null if chains differ in its decimals. */
  const bare = new Map<string, TokenMetadata | null>()
  for (const token of read) {
    const entry = toWire(token)
    map[`${entry.chain_id}:${entry.address}`] = entry
    const other = bare.get(entry.address)
    if (other === undefined) bare.set(entry.address, entry)
    else if (other?.decimals !== entry.decimals) bare.set(entry.address, null)
  }
  for (const [address, entry] of bare) if (entry) map[address] = entry
  return map
}

function toWire(token: Token): TokenMetadata {
  return {
    chain_id: String(token.chainId),
    address: checksummed(token.address),
    name: token.name,
    symbol: token.symbol,
    decimals: String(token.decimals),
    token_standard: token.tokenStandard,
    ...(token.coinGeckoId ? { coin_gecko_id: token.coinGeckoId } : {}),
  }
}
