import type { ServiceContext } from '../context.ts'
import type { EarnDeployment } from './deployments.ts'

/** What the base of a deployment is called by: a token's symbol, or that of what it stands for. */
export function baseSymbol(
  { tokens }: Pick<ServiceContext, 'tokens'>,
  { chainId, baseToken, baseTokenStandIn }: EarnDeployment,
): string {
  const symbol = baseTokenStandIn?.symbol ?? tokens.listed(chainId, baseToken)?.symbol
  if (symbol === undefined) throw new Error('Invariant(baseSymbol): the address book has the base')
  return symbol
}
