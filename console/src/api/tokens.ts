import type { components } from '@causeway/sdk'
import type { AllRows } from '@causeway/sdk/react'
import { shortHex } from '../format/shortHex.ts'

export type TokenMap = components['schemas']['TokenMetadataMap']
type TokenFacts = { symbol: string; name: string; decimals: number }

/** A token of an answer's own map; null if the map lacks it. */
export function tokenOf(tokens: TokenMap, chainId: number, address: string): TokenFacts | null {
  const found = tokens[`${chainId}:${address}`]
  return found ? { symbol: found.symbol, name: found.name, decimals: Number(found.decimals) } : null
}

/** The symbol of a token, or its address by its ends if the map lacks it. */
export function symbolOf(tokens: TokenMap, chainId: number, address: string): string {
  return tokenOf(tokens, chainId, address)?.symbol ?? shortHex(address)
}

/** Gives each row the tokens of its answer, for columns. */
export function withTokens<Row>({ rows, tokenMetadata, hasMore }: AllRows<Row>) {
  return { rows: rows.map((row) => ({ ...row, tokens: tokenMetadata })), hasMore }
}
