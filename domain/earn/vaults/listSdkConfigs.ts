import type { Address } from 'viem'
import type { AddressBook } from '../../addressBook/addressBook.ts'
import { type EarnDeployment, earnDeployments } from './deployments.ts'

export type SdkConfigParams = {
  environment?: AddressBook['environment'] | undefined
  chainId?: number | undefined
  yieldType?: EarnDeployment['yieldType'] | undefined
}

/** A deployment and one of its assets that can be deposited. */
export type SdkConfig = {
  environment: AddressBook['environment']
  deployment: EarnDeployment
  depositAsset: AddressBook['tokens'][number]
}

/**
 * The configuration for clients that call the contracts themselves: every deployment that is not in
 * deprecation, with each asset that can be deposited, the older generation of depositors first. From the
 * address book alone, since these clients keep it for minutes. A missing argument does not filter.
 */
export function listSdkConfigs(
  addressBook: AddressBook,
  { environment, chainId, yieldType }: SdkConfigParams,
): SdkConfig[] {
  if (environment !== undefined && environment !== addressBook.environment) return []
  return earnDeployments(addressBook)
    .filter(
      (entry) =>
        !entry.inDeprecation &&
        (chainId === undefined || entry.chainId === chainId) &&
        (yieldType === undefined || entry.yieldType === yieldType),
    )
    .toSorted(byPlaceAndAge)
    .flatMap((deployment) =>
      deployment.assets
        .filter(({ depositable }) => depositable)
        .map(({ address }) => ({
          environment: addressBook.environment,
          deployment,
          depositAsset: tokenOf(addressBook, deployment.chainId, address),
        })),
    )
}

function tokenOf({ tokens }: AddressBook, chainId: number, address: Address) {
  const found = tokens.find((token) => token.chainId === chainId && token.address === address)
  if (!found) throw new Error('Invariant(listSdkConfigs): the assets are among the tokens')
  return found
}

function byPlaceAndAge(a: EarnDeployment, b: EarnDeployment): number {
  const places = [a, b].map(({ chainId, baseToken, yieldType, depositorGeneration, vault }) => [
    String(chainId).padStart(10, '0'),
    baseToken,
    yieldType,
    depositorGeneration,
    vault,
  ])
  return String(places[0]) < String(places[1]) ? -1 : 1
}
