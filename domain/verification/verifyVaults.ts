import type { Address } from 'viem'
import type { AddressBookDeployment } from '../addressBook/addressBook.ts'
import { VAULT_CONTRACTS } from '../addressBook/vaultFormat.ts'
import { contractInUse } from '../earn/vaults/contractInUse.ts'
import type { DeploymentInPlace, ListedVersion } from './deploymentInPlace.ts'
import { type Finding, noCode, note } from './finding.ts'
import { ask, hasCode, type VerificationContext } from './verificationContext.ts'
import { verifyAssets } from './verifyAssets.ts'
import { verifyBase } from './verifyBase.ts'
import { verifyContracts } from './verifyContracts.ts'

/** Checks that every deployment's contracts exist, belong together, and match the book. */
export async function verifyVaults(context: VerificationContext): Promise<Finding[]> {
  const deployments = context.book.vaults.flatMap((vault, vaultIndex) =>
    vault.deployments.map((deployment, index) => ({
      deployment,
      place: `vaults.${vaultIndex}.deployments.${index}`,
    })),
  )
  const found = await Promise.all(
    deployments.map(async ({ deployment, place }) => [
      ...incomplete(deployment, place),
      ...(await ask(context, {
        chainId: deployment.chainId,
        place,
        run: () => verifyDeployment(context, deployment, place),
      })),
    ]),
  )
  return found.flat()
}

/** A note for a deployment that lacks a contract in use: it is listed, but not served. */
function incomplete(deployment: AddressBookDeployment, place: string): Finding[] {
  const lacking = VAULT_CONTRACTS.filter(
    (kind) => contractInUse<ListedVersion>(deployment[kind]) === null,
  )
  if (lacking.length === 0) return []
  return [note(place, `not served: it lacks a contract in use among its ${lacking.join(', ')}`)]
}

async function verifyDeployment(
  context: VerificationContext,
  deployment: AddressBookDeployment,
  place: string,
): Promise<Finding[]> {
  const { present, findings } = await findCode(context, deployment, place)
  const placedVersions = (kind: (typeof VAULT_CONTRACTS)[number]) =>
    deployment[kind]
      .map((entry: ListedVersion, index) => ({ ...entry, place: `${place}.${kind}.${index}` }))
      .filter(({ address }) => present.has(address))
  const everUsed = {
    tellers: placedVersions('tellers'),
    accountants: placedVersions('accountants'),
    depositors: placedVersions('depositors'),
    queues: placedVersions('queues'),
  }
  const inUse = Object.fromEntries(
    VAULT_CONTRACTS.flatMap((kind) => {
      const entry = contractInUse<ListedVersion>(deployment[kind])
      const listed = everUsed[kind].find(({ address }) => address === entry?.address)
      return entry && listed ? [[kind, listed]] : []
    }),
  )
  const hasVault = present.has(deployment.vault.address)
  const placed: DeploymentInPlace = { deployment, place, inUse, everUsed, hasVault }
  const { chainId } = deployment
  const checked = await Promise.all([
    verifyContracts(context, placed),
    verifyBase(context, placed),
    ask(context, {
      chainId,
      place: `${place}.assets`,
      run: () => verifyAssets(context, placed),
    }),
  ])
  return [...findings, ...checked.flat()]
}

/** The deployment's contracts that have code, former ones included. */
async function findCode(
  { chains }: VerificationContext,
  deployment: AddressBookDeployment,
  place: string,
): Promise<{ present: Set<Address>; findings: Finding[] }> {
  const { chainId, vault } = deployment
  const contracts = [
    { address: vault.address, place: `${place}.vault.address` },
    ...([...VAULT_CONTRACTS, 'feeModules'] as const).flatMap((kind) =>
      deployment[kind].map(({ address }, index) => ({
        address,
        place: `${place}.${kind}.${index}.address`,
      })),
    ),
  ]
  const isThere = await chains.read(chainId, (client) =>
    Promise.all(contracts.map(({ address }) => hasCode(client, address))),
  )
  return {
    present: new Set(contracts.filter((_, index) => isThere[index]).map(({ address }) => address)),
    findings: contracts
      .filter((_, index) => !isThere[index])
      .map((contract) => noCode(contract.place, contract.address, chainId)),
  }
}
