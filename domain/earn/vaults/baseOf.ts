import type { SharedServices } from '../../context.ts'
import type { Token } from '../../token/tokenReader.ts'
import type { EarnDeployment } from './deployments.ts'

/** The tokens of the address book. */
type ListedTokens = { tokens: Pick<SharedServices['tokens'], 'listed'> }

/** The base of a deployment, by the address book: a token, or its stand-in for a base that is no token. */
export function baseOf(
  { tokens }: ListedTokens,
  {
    chainId,
    baseToken: address,
    baseTokenStandIn: standIn,
  }: Pick<EarnDeployment, 'chainId' | 'baseToken' | 'baseTokenStandIn'>,
): Token {
  if (standIn) return { ...standIn, chainId, address, name: standIn.symbol, tokenStandard: 'NONE' }
  const token = tokens.listed(chainId, address)
  if (!token) throw new Error('Invariant(baseOf): the base of every vault is in the address book')
  return token
}

/** The decimals of a deployment's shares, by the address book: those of its base, unless it says otherwise. */
export function shareDecimalsOf(
  services: ListedTokens,
  deployment: Pick<
    EarnDeployment,
    'chainId' | 'baseToken' | 'baseTokenStandIn' | 'listedShareDecimals'
  >,
): number {
  return deployment.listedShareDecimals ?? baseOf(services, deployment).decimals
}
