import { type Address, type PublicClient, parseAbi, zeroAddress, zeroHash } from 'viem'
import { sanctionsOracleAbi } from '../../abis/sanctionsOracle.ts'
import { smartDepositFactoryAbi } from '../../abis/smartDeposit.ts'
import type { AddressBookChain } from '../addressBook/addressBook.ts'
import { tryRead } from '../chain/gatheredReads.ts'
import { type EarnDeployment, earnDeployments } from '../earn/vaults/deployments.ts'
import { depositFormOf } from '../smartDeposit/depositForm.ts'
import { smartDepositAddress } from '../smartDeposit/smartDepositAddress.ts'
import { compare, contradiction, type Finding, noCode, note } from './finding.ts'
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
      verifyOwner(client, chain, {
        place: `${place}.smartDeposit.factory`,
        isProduction: book.environment === 'PRODUCTION',
      }),
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

/** A factory's owner can send deposits anywhere, so what it changes must be public before it takes effect. */
const LEAST_DELAY_SECONDS = 86_400n
const timelockAbi = parseAbi(['function getMinDelay() view returns (uint256)'])

/** In PRODUCTION the owner must be a timelock. A paused factory is a note. */
async function verifyOwner(
  client: PublicClient,
  { id: chainId, smartDeposit }: AddressBookChain,
  { place, isProduction }: { place: string; isProduction: boolean },
): Promise<Finding[]> {
  if (!smartDeposit) return []
  const contract = { address: smartDeposit.factory, abi: smartDepositFactoryAbi } as const
  const [isPaused, owner] = await Promise.all([
    tryRead(client, { ...contract, functionName: 'paused' }),
    tryRead(client, { ...contract, functionName: 'owner' }),
  ])
  const paused = isPaused ? [note(place, `the factory of chain ${chainId} is paused`)] : []
  if (!isProduction || owner === null) return paused
  const delay = await tryRead(client, {
    address: owner,
    abi: timelockAbi,
    functionName: 'getMinDelay',
  })
  if (delay !== null && delay >= LEAST_DELAY_SECONDS) return paused
  const found = delay === null ? 'is no timelock' : `has a delay of ${delay} s`
  const wrong = `the owner ${owner} of the factory of chain ${chainId} ${found}; expected ${LEAST_DELAY_SECONDS} s`
  return [...paused, contradiction(place, wrong)]
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
