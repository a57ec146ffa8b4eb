import type { Address } from 'viem'
import type { AddressBook } from '../../addressBook/addressBook.ts'
import type { EarnContext } from '../earnContext.ts'
import { earnDeployments } from './deployments.ts'
import { type LiveDeployment, readDeploymentStates } from './liveDeployments.ts'

export type SdkConfigParams = {
  environment?: AddressBook['environment'] | undefined
  chainId?: number | undefined
  yieldType?: LiveDeployment['yieldType'] | undefined
}

/** A deployment and one of its assets that can be deposited. */
export type SdkConfig = {
  environment: AddressBook['environment']
  deployment: LiveDeployment
  /** Lower case. */
  depositAsset: Address
  /** The vault's roles authority. */
  authority: Address | null
}

/**
 * The configuration for clients that call the contracts themselves: every deployment that is not in
 * deprecation, with each asset that it takes, the older generation of depositors first. A missing
 * argument does not filter. Throws like `readDeploymentStates`.
 */
export async function listSdkConfigs(
  context: EarnContext,
  { environment, chainId, yieldType }: SdkConfigParams,
): Promise<SdkConfig[]> {
  const { addressBook } = context
  if (environment !== undefined && environment !== addressBook.environment) return []
  const wanted = earnDeployments(addressBook).filter(
    (entry) =>
      !entry.inDeprecation &&
      (chainId === undefined || entry.chainId === chainId) &&
      (yieldType === undefined || entry.yieldType === yieldType),
  )
  const live = await readDeploymentStates(context, wanted)
  return live.toSorted(byPlaceAndAge).flatMap((deployment) =>
    deployment.state.assets
      .filter(({ depositable }) => depositable)
      .map(({ address }) => ({
        environment: addressBook.environment,
        deployment,
        depositAsset: address,
        authority: deployment.state.authority,
      })),
  )
}

function byPlaceAndAge(a: LiveDeployment, b: LiveDeployment): number {
  const places = [a, b].map(({ chainId, baseToken, yieldType, depositorGeneration, vault }) => [
    String(chainId).padStart(10, '0'),
    baseToken,
    yieldType,
    depositorGeneration,
    vault,
  ])
  return String(places[0]) < String(places[1]) ? -1 : 1
}
