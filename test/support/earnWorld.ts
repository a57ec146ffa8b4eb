import { startAttestationServer } from '../../devnet/attestations.ts'
import type { World } from '../../devnet/world.ts'
import { httpAttestationProvider } from '../../domain/earn/deposits/attestationProvider.ts'
import { startTestWorld } from './anvils.ts'
import { startTestApi, type TestApi, type TestApiOptions } from './api.ts'
import { freePorts } from './freePorts.ts'

export type EarnWorld = {
  world: World
  api: TestApi
  attestationUrl: string
  stop(): Promise<void>
}

export const ATTESTATION_KEY = 'of the tests'

/** Nodes with vaults, the provider that attests their deposits, and an api over them. */
export async function startEarnWorld(
  chainIds: number[],
  options: Omit<TestApiOptions, 'world' | 'attestations'> = {},
): Promise<EarnWorld> {
  const started = new AsyncDisposableStack()
  try {
    const { world, stop } = await startTestWorld(chainIds, { withVaults: true })
    started.defer(stop)
    const [port = 0] = await freePorts(1)
    const attester = await startAttestationServer({ world, port, apiKey: ATTESTATION_KEY })
    started.defer(attester.stop)
    const attestationUrl = `${attester.url}/v2/attestation`
    const attestations = httpAttestationProvider(attestationUrl, ATTESTATION_KEY)
    const api = await startTestApi({ ...options, world, attestations })
    started.defer(api.stop)
    return { world, api, attestationUrl, stop: () => started.disposeAsync() }
  } catch (error) {
    await started.disposeAsync()
    throw error
  }
}
