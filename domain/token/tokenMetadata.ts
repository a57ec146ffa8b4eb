import { type Address, getAddress } from 'viem'
import type { ServiceContext } from '../context.ts'
import type { Token } from './tokenReader.ts'

/** The wire form of a token: snake case, all strings. */
export type TokenMetadata = {
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
 * Metadata keyed `<chainId>:<checksummed address>`, and by the bare address for older clients unless
 * two chains have it with different decimals. A token that cannot be read is left out.
 */
export async function tokenMetadata(
  { tokens }: Pick<ServiceContext, 'tokens'>,
  wanted: { chainId: number; address: Address }[],
): Promise<TokenMetadataMap> {
  const read = await Promise.all(
    wanted.map(({ chainId, address }) => tokens.get(chainId, address).catch(() => null)),
  )
  const entries = read.flatMap((token) => (token ? [toWire(token)] : []))
  const map: TokenMetadataMap = {}
  for (const entry of entries) map[`${entry.chain_id}:${entry.address}`] = entry
  for (const entry of entries) {
    const isAmbiguous = entries.some(
      ({ address, decimals }) => address === entry.address && decimals !== entry.decimals,
    )
    if (!isAmbiguous) map[entry.address] ??= entry
  }
  return map
}

function toWire(token: Token): TokenMetadata {
  return {
    chain_id: String(token.chainId),
    address: getAddress(token.address),
    name: token.name,
    symbol: token.symbol,
    decimals: String(token.decimals),
    token_standard: token.tokenStandard,
    ...(token.coinGeckoId ? { coin_gecko_id: token.coinGeckoId } : {}),
  }
}
