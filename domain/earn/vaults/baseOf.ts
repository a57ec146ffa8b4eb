import type { ServiceContext } from '../../context.ts'
import type { Token } from '../../token/tokenReader.ts'
import type { EarnDeployment } from './deployments.ts'

/** What a deployment counts in, as the address book has it: a token, or what stands for something that is none. */
export function baseOf(
  { tokens }: Pick<ServiceContext, 'tokens'>,
  { chainId, baseToken: address, baseTokenStandIn: standIn }: EarnDeployment,
): Token {
  if (standIn) return { ...standIn, chainId, address, name: standIn.symbol, tokenStandard: 'NONE' }
  const token = tokens.listed(chainId, address)
  if (!token) throw new Error('Invariant(baseOf): the address book has the base of every vault')
  return token
}
