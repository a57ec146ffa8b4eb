import { type Address, getContractAddress } from 'viem'
import { DEVNET_ACTORS } from './accounts.ts'
import { type FeedName, PLANNED_TOKENS, type TokenSymbol } from './plan.ts'

/** The addresses of all contracts: the same on every chain that has them, and in every run. */
export type Deployment = {
  tokens: Record<TokenSymbol, Address>
  authority: Address
  vault: Address
  endpoint: Address
  station: Address
  feeds: Record<FeedName, Address>
}

const { deployer } = DEVNET_ACTORS

/** The addresses that the deployer's first transactions create, known before anything is deployed. */
export const DEPLOYMENT: Deployment = (() => {
  const at = (nonce: number) => getContractAddress({ from: deployer.address, nonce: BigInt(nonce) })
  const tokens = PLANNED_TOKENS.map(({ symbol }, index) => [symbol, at(index)])
  const next = PLANNED_TOKENS.length
  return {
    tokens: Object.fromEntries(tokens) as Record<TokenSymbol, Address>,
    authority: at(next),
    vault: at(next + 1),
    endpoint: at(next + 2),
    station: at(next + 3),
    feeds: { native: at(next + 4), dollar: at(next + 5) },
  }
})()
