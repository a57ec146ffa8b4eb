import type { Abi, Address, PublicClient } from 'viem'
import { accountantAbi } from '../../abis/accountant.ts'
import { depositorAbi } from '../../abis/depositor.ts'
import { tellerAbi } from '../../abis/teller.ts'
import { vaultAbi } from '../../abis/vault.ts'
import { withdrawQueueAbi } from '../../abis/withdrawQueue.ts'
import { tryRead } from '../chain/gatheredReads.ts'
import type { DeploymentInPlace, ListedContract } from './deploymentInPlace.ts'
import { probeCapUnit } from './describe/probeCapUnit.ts'
import {
  probeAccountant,
  probeDepositor,
  probeQueue,
  probeTeller,
} from './describe/probeGenerations.ts'
import { compare, contradiction, type Finding } from './finding.ts'
import type { VerificationContext } from './verificationContext.ts'

type Link = {
  from: Pick<ListedContract, 'address' | 'place'> | undefined
  abi: Abi
  functionName: string
  /** Undefined if the book has no value to compare with. */
  to: Address | undefined
  /** The place of the value; default: the contract's address. */
  field?: string
  /** Whether a contract may lack the function. */
  isOptional?: boolean
}

/** Checks that the contracts in use point at each other, and that all have the generations of the book. */
export async function verifyContracts(
  { chains }: VerificationContext,
  placed: DeploymentInPlace,
): Promise<Finding[]> {
  const { chainId } = placed.deployment
  const found = await chains.read(chainId, (client) =>
    Promise.all([
      ...linksOf(placed).map((link) => verifyLink(client, chainId, link)),
      ...verifyGenerations(client, placed),
      ...verifyCapUnits(client, placed),
    ]),
  )
  return found.flat()
}

function linksOf({ deployment, place, inUse, hasVault }: DeploymentInPlace): Link[] {
  const vault = deployment.vault.address
  const { depositors: depositor, tellers: teller, accountants: accountant, queues: queue } = inUse
  const ofDepositor = { from: depositor, abi: depositorAbi }
  const ofTeller = { from: teller, abi: tellerAbi }
  const ofAccountant = { from: accountant, abi: accountantAbi }
  const ofVault = hasVault ? { address: vault, place: `${place}.vault` } : undefined
  const ofQueue = { from: queue, abi: withdrawQueueAbi }
  return [
    {
      from: ofVault,
      abi: vaultAbi,
      functionName: 'authority',
      to: deployment.rolesAuthority,
      field: `${place}.rolesAuthority`,
    },
    { ...ofDepositor, functionName: 'boringVault', to: vault },
    { ...ofDepositor, functionName: 'teller', to: teller?.address },
    { ...ofTeller, functionName: 'vault', to: vault },
    { ...ofTeller, functionName: 'accountant', to: accountant?.address },
    { ...ofAccountant, functionName: 'vault', to: vault, isOptional: true },
    { ...ofQueue, functionName: 'offerAsset', to: vault },
    { ...ofQueue, functionName: 'tellerWithMultiAssetSupport', to: teller?.address },
  ]
}

async function verifyLink(client: PublicClient, chainId: number, link: Link): Promise<Finding[]> {
  const { from, abi, functionName, to, field, isOptional } = link
  if (!from || !to) return []
  const { address, place } = from
  const answer = await tryRead(client, { address, abi, functionName })
  if (answer === null && isOptional) return []
  return compare({
    place: field ?? `${place}.address`,
    asked: `${functionName}() of ${address} on chain ${chainId}`,
    expected: to,
    answered: typeof answer === 'string' ? answer.toLowerCase() : null,
  })
}

/** Former contracts are verified too, because the index always reads their logs by their generation. */
function verifyGenerations(client: PublicClient, { deployment, everUsed }: DeploymentInPlace) {
  const probes = [
    [everUsed.tellers, probeTeller],
    [everUsed.accountants, probeAccountant],
    [everUsed.depositors, probeDepositor],
    [everUsed.queues, probeQueue],
  ] as const
  return probes.flatMap(([contracts, probe]) =>
    contracts.map(async (contract) =>
      judgeGeneration(contract, deployment.chainId, await probe(client, contract.address)),
    ),
  )
}

function verifyCapUnits(client: PublicClient, { deployment, everUsed }: DeploymentInPlace) {
  return everUsed.depositors.map(async ({ address, capIn, place }): Promise<Finding[]> => {
    if (!capIn) return []
    const found = await probeCapUnit(client, address)
    if (found === null || found === capIn) return []
    const { chainId } = deployment
    return [
      contradiction(
        `${place}.capIn`,
        `the book has ${capIn}, the cap of ${address} on chain ${chainId} is in ${found}`,
      ),
    ]
  })
}

/** The finding for a contract that fits these generations on chain; an empty list means no known generation. */
export function judgeGeneration(
  { address, generation, place }: ListedContract,
  chainId: number,
  fitting: string[],
): Finding[] {
  if (fitting.includes(generation)) return []
  const is = fitting.length > 0 ? `is ${fitting.join(' or ')}` : 'is of no known generation'
  return [
    contradiction(
      `${place}.generation`,
      `the book has ${generation}, ${address} on chain ${chainId} ${is}`,
    ),
  ]
}
