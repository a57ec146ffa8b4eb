import { erc20Abi, zeroAddress } from 'viem'
import { accountantAbi } from '../../abis/accountant.ts'
import { baseTokenStandInAbi, vaultAbi } from '../../abis/vault.ts'
import { tryRead } from '../chain/gatheredReads.ts'
import type { DeploymentInPlace } from './deploymentInPlace.ts'
import { compare, contradiction, type Finding } from './finding.ts'
import type { VerificationContext } from './verificationContext.ts'

/**
 * Checks that the accountant has the base of the book, that the book has the decimals of the shares, and that a stand-in is
 * not a token.
 */
export async function verifyBase(
  context: VerificationContext,
  placed: DeploymentInPlace,
): Promise<Finding[]> {
  const found = await Promise.all([
    verifyAccountant(context, placed),
    verifyStandIn(context, placed),
  ])
  return found.flat()
}

async function verifyAccountant(
  { chains }: VerificationContext,
  { deployment, place, inUse, hasVault }: DeploymentInPlace,
): Promise<Finding[]> {
  const { chainId, baseToken, vault } = deployment
  const accountant = inUse.accountants
  if (!accountant) return []
  const at = `${accountant.address} on chain ${chainId}`
  const contract = { address: accountant.address, abi: accountantAbi } as const
  const [base, decimals, vaultDecimals] = await chains.read(chainId, (client) =>
    Promise.all([
      tryRead(client, { ...contract, functionName: 'base' }),
      tryRead(client, { ...contract, functionName: 'decimals' }),
      tryRead(client, { address: vault.address, abi: vaultAbi, functionName: 'decimals' }),
    ]),
  )
  // The book names the decimals of the shares where they are not those of the base.
  const isEqual = vaultDecimals !== null && (vault.decimals ?? decimals) === vaultDecimals
  return [
    ...compare({
      place: `${place}.baseToken`,
      asked: `base() of the accountant ${at}`,
      expected: baseToken,
      answered: base?.toLowerCase() ?? null,
    }),
    ...(isEqual || !hasVault
      ? []
      : [
          contradiction(
            `${accountant.place}.address`,
            `decimals() of ${at} is ${decimals ?? 'no answer'}, that of the vault ${vault.address} is ${vaultDecimals ?? 'no answer'}: vault.decimals of the book has to be that of the shares where they differ`,
          ),
        ]),
  ]
}

async function verifyStandIn(
  { chains }: VerificationContext,
  { deployment, place }: DeploymentInPlace,
): Promise<Finding[]> {
  const { chainId, baseToken: address, baseTokenStandIn: standIn } = deployment
  if (!standIn) return []
  const token = { address, abi: erc20Abi } as const
  const [decimals, symbol, balance] = await chains.read(chainId, (client) =>
    Promise.all([
      tryRead(client, { address, abi: baseTokenStandInAbi, functionName: 'decimals' }),
      tryRead(client, { ...token, functionName: 'symbol' }),
      tryRead(client, { ...token, functionName: 'balanceOf', args: [zeroAddress] }),
    ]),
  )
  return [
    ...compare({
      place: `${place}.baseTokenStandIn.decimals`,
      asked: `decimals() of ${address} on chain ${chainId}`,
      expected: standIn.decimals,
      answered: decimals,
    }),
    ...(symbol === null && balance === null
      ? []
      : [
          contradiction(
            `${place}.baseTokenStandIn`,
            `${address} on chain ${chainId} is a token${symbol ? `, ${symbol}` : ''}, not a stand-in`,
          ),
        ]),
  ]
}
