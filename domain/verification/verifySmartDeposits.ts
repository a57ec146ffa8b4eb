import { type Address, type PublicClient, zeroAddress, zeroHash } from 'viem'
import { sanctionsOracleAbi } from '../../abis/sanctionsOracle.ts'
import { smartDepositFactoryAbi } from '../../abis/smartDeposit.ts'
import type { AddressBookChain } from '../addressBook/addressBook.ts'
import { tryRead } from '../chain/gatheredReads.ts'
import { type EarnDeployment, earnDeployments } from '../earn/vaults/deployments.ts'
import { depositFormOf } from '../smartDeposit/depositForm.ts'
import { smartDepositAddress } from '../smartDeposit/smartDepositAddress.ts'
import { compare, contradiction, type Finding, noCode } from './finding.ts'
import { ask, hasCode, type VerificationContext } from './verificationContext.ts'

/**
 * Checks that every factory exists, gives the addresses that we compute, and knows each live vault's
 * depositor.
 */
export async function verifySmartDeposits(context: VerificationContext): Promise<Finding[]> {
  const found = await Promise.all(
    context.book.chains.map((chain, index) => {
      const place = `chains.${index}`
      const run = () => verifyChain(context, chain, place)
      return ask(context, { chainId: chain.id, place, run })
    }),
  )
  return found.flat()
}

async function verifyChain(
  { chains, book }: VerificationContext,
  chain: AddressBookChain,
  place: string,
): Promise<Finding[]> {
  const live = earnDeployments(book).filter(
    ({ chainId, inDeprecation }) => chainId === chain.id && !inDeprecation,
  )
  return chains.read(chain.id, async (client) => {
    const found = await Promise.all([
      verifyFactory(client, chain, { place: `${place}.smartDeposit`, live }),
      verifyOracle(client, chain, `${place}.sanctionsOracle`),
    ])
    return found.flat()
  })
}

type FactorySite = { place: string; live: EarnDeployment[] }

async function verifyFactory(
  client: PublicClient,
  { id: chainId, smartDeposit }: AddressBookChain,
  { place, live }: FactorySite,
): Promise<Finding[]> {
  if (!smartDeposit) return []
  const { factory, implementation } = smartDeposit
  if (!(await hasCode(client, factory))) return [noCode(`${place}.factory`, factory, chainId)]
  const contract = { address: factory, abi: smartDepositFactoryAbi } as const
  const [answered, account, ...routes] = await Promise.all([
    tryRead(client, { ...contract, functionName: 'implementation' }),
    tryRead(client, { ...contract, functionName: 'accountOf', args: [SAMPLE] }),
    ...live.map((deployment) => verifyRoute(client, deployment, { factory, place })),
  ])
  const implemented = compare({
    place: `${place}.implementation`,
    asked: `implementation() of ${factory} on chain ${chainId}`,
    expected: implementation,
    answered: answered?.toLowerCase() ?? null,
  })
  const computed = smartDepositAddress(
    { address: factory, implementation },
    { ...SAMPLE_INPUTS, chainId, customerId: null, organizationId: null },
  )
  // Another implementation gives other addresses: reported once.
  const addressed =
    implemented.length > 0
      ? []
      : compare({
          place: `${place}.factory`,
          asked: `accountOf(…) of ${factory} on chain ${chainId}`,
          expected: computed,
          answered: account,
        })
  return [...implemented, ...addressed, ...routes.flat()]
}

const SAMPLE = {
  destination: zeroAddress,
  vault: zeroAddress,
  inputToken: zeroAddress,
  customer: zeroHash,
} as const
const SAMPLE_INPUTS = {
  userDestinationAddress: zeroAddress,
  vaultAddress: zeroAddress,
  inputToken: zeroAddress,
} as const

/**
 * Checks that the factory sends a live vault's deposits to the depositor in use, in the form of its
 * generation.
 */
async function verifyRoute(
  client: PublicClient,
  { chainId, name, vault, depositor, depositorGeneration }: EarnDeployment,
  { factory, place }: { factory: Address; place: string },
): Promise<Finding[]> {
  const route = await tryRead(client, {
    address: factory,
    abi: smartDepositFactoryAbi,
    functionName: 'routeOf',
    args: [vault],
  })
  return compare({
    place: `${place}.factory`,
    asked: `routeOf(${vault}), ${name}, of ${factory} on chain ${chainId}`,
    expected: `${depositor} in form ${depositFormOf(depositorGeneration)}`,
    answered: route && `${route[0].toLowerCase()} in form ${route[1]}`,
  })
}

async function verifyOracle(
  client: PublicClient,
  { id: chainId, sanctionsOracle: address }: AddressBookChain,
  place: string,
): Promise<Finding[]> {
  if (!address) return []
  if (!(await hasCode(client, address))) return [noCode(place, address, chainId)]
  const call = { address, abi: sanctionsOracleAbi, functionName: 'isSanctioned' } as const
  const answer = await tryRead(client, { ...call, args: [zeroAddress] })
  if (answer === false) return []
  const why = answer === null ? 'does not answer' : 'reports that the zero address is sanctioned'
  return [contradiction(place, `isSanctioned() of ${address} on chain ${chainId} ${why}`)]
}
