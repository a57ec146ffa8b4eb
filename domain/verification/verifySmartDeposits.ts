import { type PublicClient, parseAbi, zeroAddress, zeroHash } from 'viem'
import { sanctionsOracleAbi } from '../../abis/sanctionsOracle.ts'
import {
  smartDepositAccountBAbi,
  smartDepositFactoryAbi,
  smartDepositFactoryBAbi,
} from '../../abis/smartDeposit.ts'
import { MAX_PROTOCOL_FEE_BPS } from '../../abis/transitStation.ts'
import type { AddressBookChain } from '../addressBook/addressBook.ts'
import { type BookFactory, factoriesOf, factoryPlace } from '../addressBook/factories.ts'
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
  const isProduction = book.environment === 'PRODUCTION'
  const homes = book.chains.filter(({ id }) =>
    earnDeployments(book).some((one) => one.chainId === id && !one.inDeprecation),
  )
  return chains.read(chain.id, async (client) => {
    const ofFactories = factoriesOf(chain).map(async (factory, index) => {
      const site = { chain, factory, place: factoryPlace(place, index), live }
      if (!(await hasCode(client, factory.address)))
        return [noCode(`${site.place}.factory`, factory.address, chain.id)]
      return [
        ...(await verifyFactory(client, site)),
        ...(await verifyOwner(client, site, isProduction)),
        ...(factory.generation === 'A' ? [] : await verifyPromises(client, site, homes)),
      ]
    })
    const oracle = verifyOracle(client, chain, `${place}.sanctionsOracle`)
    const found = await Promise.all([...ofFactories, oracle])
    return found.flat()
  })
}

type FactorySite = {
  chain: AddressBookChain
  factory: BookFactory
  place: string
  live: EarnDeployment[]
}

async function verifyFactory(client: PublicClient, site: FactorySite): Promise<Finding[]> {
  const { chain, factory, place, live } = site
  const { id: chainId } = chain
  const { address, implementation } = factory
  const contract = { address, abi: smartDepositFactoryAbi } as const
  const [answered, account, ...routes] = await Promise.all([
    tryRead(client, { ...contract, functionName: 'implementation' }),
    readSample(client, site),
    ...live.map((deployment) => verifyRoute(client, deployment, site)),
  ])
  const implemented = compare({
    place: `${place}.implementation`,
    asked: `implementation() of ${address} on chain ${chainId}`,
    expected: implementation,
    answered: answered?.toLowerCase() ?? null,
  })
  const computed = smartDepositAddress(factory, {
    ...SAMPLE_INPUTS,
    chainId,
    customerId: null,
    organizationId: null,
  })
  // Another implementation gives other addresses: reported once.
  const addressed =
    implemented.length > 0
      ? []
      : compare({
          place: `${place}.factory`,
          asked: `accountOf(…) of ${address} on chain ${chainId}`,
          expected: computed,
          answered: account,
        })
  return [...implemented, ...addressed, ...routes.flat()]
}

/** The address that the factory computes for the sample. */
function readSample(client: PublicClient, { chain, factory }: FactorySite) {
  const { address, generation } = factory
  const call = { address, functionName: 'accountOf' } as const
  return generation === 'A'
    ? tryRead(client, { ...call, abi: smartDepositFactoryAbi, args: [SAMPLE] })
    : tryRead(client, {
        ...call,
        abi: smartDepositFactoryBAbi,
        args: [{ ...SAMPLE, chainId: BigInt(chain.id) }],
      })
}

/** A factory's owner can send deposits anywhere, so what it changes must be public before it takes effect. */
const LEAST_DELAY_SECONDS = 86_400n
const timelockAbi = parseAbi(['function getMinDelay() view returns (uint256)'])

/** In PRODUCTION the owner must be a timelock. A paused factory is a note. */
async function verifyOwner(
  client: PublicClient,
  { chain: { id: chainId }, factory: { address, generation }, place: of }: FactorySite,
  isProduction: boolean,
): Promise<Finding[]> {
  const place = `${of}.factory`
  const contract = { address, abi: smartDepositFactoryBAbi } as const
  const [isPaused, owner, withdrawal] = await Promise.all([
    tryRead(client, { ...contract, functionName: 'paused' }),
    tryRead(client, { ...contract, functionName: 'owner' }),
    generation === 'A' ? 0n : tryRead(client, { ...contract, functionName: 'withdrawalDelay' }),
  ])
  const paused = isPaused ? [note(place, `the factory of chain ${chainId} is paused`)] : []
  if (!isProduction || owner === null || withdrawal === null) return paused
  const delay = await tryRead(client, {
    address: owner,
    abi: timelockAbi,
    functionName: 'getMinDelay',
  })
  // A user who sees a hostile proposal can withdraw before it takes effect.
  const least = LEAST_DELAY_SECONDS + withdrawal
  if (delay !== null && delay >= least) return paused
  const found = delay === null ? 'is no timelock' : `has a delay of ${delay} s`
  const wrong = `the owner ${owner} of the factory of chain ${chainId} ${found}; expected ${least} s`
  return [...paused, contradiction(place, wrong)]
}

/** Checks what a factory of generation B promised about Transit, and that it knows the endpoint ids of the chains with vaults. */
async function verifyPromises(
  client: PublicClient,
  site: FactorySite,
  homes: AddressBookChain[],
): Promise<Finding[]> {
  const { chain, factory, place } = site
  const endpoints = homes.map(async ({ id, eid }) =>
    eid === undefined
      ? []
      : compare({
          place: `${place}.factory`,
          asked: `endpointOf(${id}) of ${factory.address} on chain ${chain.id}`,
          expected: eid,
          answered: await tryRead(client, {
            address: factory.address,
            abi: smartDepositFactoryBAbi,
            functionName: 'endpointOf',
            args: [BigInt(id)],
          }),
        }),
  )
  const found = await Promise.all([verifyTransitPromises(client, site), ...endpoints])
  return found.flat()
}

/** The accounts use the chain's station, and refuse no quote for its fee, which can be all that a station takes. */
async function verifyTransitPromises(
  client: PublicClient,
  { chain: { id: chainId, transitStation }, factory: { implementation }, place: of }: FactorySite,
): Promise<Finding[]> {
  if (!transitStation) return []
  const contract = { address: implementation, abi: smartDepositAccountBAbi } as const
  const [station, mostFee] = await Promise.all([
    tryRead(client, { ...contract, functionName: 'station' }),
    tryRead(client, { ...contract, functionName: 'maxTransitFeeBps' }),
  ])
  const place = `${of}.implementation`
  const onChain = `of ${implementation} on chain ${chainId}`
  const used = compare({
    place,
    asked: `station() ${onChain}`,
    expected: transitStation.address,
    answered: station?.toLowerCase() ?? null,
  })
  if (mostFee !== null && mostFee >= MAX_PROTOCOL_FEE_BPS) return used
  const answered = mostFee === null ? 'does not answer' : `is ${mostFee}`
  const wrong = `quotes have fees of up to ${MAX_PROTOCOL_FEE_BPS} bps, maxTransitFeeBps() ${onChain} ${answered}`
  return [...used, contradiction(place, wrong)]
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
  { factory: { address: factory }, place }: FactorySite,
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
