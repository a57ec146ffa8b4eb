import {
  type Account,
  createPublicClient,
  createWalletClient,
  formatEther,
  http,
  keccak256,
  type PublicClient,
} from 'viem'
import { DEPLOYMENT_PROXY, type FactoryPlan, type PlannedContract } from './factoryPlan.ts'
import type { FactorySettings } from './settings.ts'
import { verifyFactory } from './verifyFactory.ts'

/** The code of the deterministic deployment proxy. Another contract at its address could create anything. */
const PROXY_CODE_HASH = '0x2fa86add0aed31f33a762c9d88e807c475bd51d0f52bd0955754b2608f7e4989'
/** HyperEVM has blocks of this gas for usual senders. */
const SMALL_BLOCK_GAS = 2_000_000n

/** A chain lacks something that the deployment needs, or differs from the plan. */
export class DeploymentError extends Error {
  override name = 'DeploymentError'
}

export type DeploymentTarget = {
  chainId: number
  url: string
  plan: FactoryPlan
  settings: FactorySettings
  /** Without one, nothing is sent. */
  account?: Account
}

/**
 * Creates on one chain what is missing, and verifies all of it. Without an account it says what it would do. Returns a
 * line per step. Throws `DeploymentError`.
 */
export async function deployOnChain(target: DeploymentTarget): Promise<string[]> {
  const { chainId, url, plan, settings } = target
  const client = createPublicClient({ transport: http(url) })
  const answered = await client.getChainId()
  if (answered !== chainId) throw new DeploymentError(`the node is of chain ${answered}`)
  const proxy = await client.getCode({ address: DEPLOYMENT_PROXY })
  if (!proxy || keccak256(proxy) !== PROXY_CODE_HASH)
    throw new DeploymentError(`there is no deployment proxy at ${DEPLOYMENT_PROXY}`)
  const lines: string[] = []
  // The timelock first: it is the factory's owner.
  for (const planned of [plan.timelock, plan.factory])
    lines.push(await createIfMissing(client, target, planned))
  if (lines.some((line) => line.startsWith('would create'))) return lines
  const faults = await verifyFactory(client, plan, settings)
  if (faults.length > 0) throw new DeploymentError(faults.join('; '))
  return [...lines, 'verified: code, owner, delays, station, recovery wallet, fees']
}

async function createIfMissing(
  client: PublicClient,
  { chainId, url, account }: DeploymentTarget,
  { name, address, data }: PlannedContract,
): Promise<string> {
  if (await client.getCode({ address })) return `${name} ${address}: is there`
  const gas = await client.estimateGas({ to: DEPLOYMENT_PROXY, data, ...(account && { account }) })
  const price = await client.getGasPrice()
  const cost = `${gas} gas, about ${formatEther(gas * price)} coins`
  const hint = gas > SMALL_BLOCK_GAS ? '; HyperEVM needs the sender to use big blocks' : ''
  if (!account) return `would create ${name} ${address}: ${cost}${hint}`
  const hash = await createWalletClient({ account, transport: http(url) }).sendTransaction({
    chain: null,
    to: DEPLOYMENT_PROXY,
    data,
    gas: (gas * 6n) / 5n,
  })
  const { status } = await client.waitForTransactionReceipt({ hash })
  if (status !== 'success' || !(await client.getCode({ address })))
    throw new DeploymentError(`the transaction ${hash} did not create ${name} on chain ${chainId}`)
  return `${name} ${address}: created by ${hash}, ${cost}`
}
