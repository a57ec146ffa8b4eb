import { type Address, createClient, type Hex, http, parseAbi, parseEther, toHex } from 'viem'
import { getTransactionReceipt } from 'viem/actions'
import type { Artifacts } from '../../contracts/compileContracts.ts'
import { DEVNET_ACTORS } from '../accounts.ts'
import type { DevnetClient } from '../world.ts'
import { scriptsOf, smartDepositsOf, type VaultDeployment } from './deployment.ts'
import { VAULT_ROLES } from './roles.ts'
import { encodeStep, type Script, type Step } from './script.ts'

const GAS = { create: 5_000_000, call: 1_000_000 }
const BLOCK_GAS = 2_000_000_000n

/**
 * Deploys the vaults of one chain, and the factories of smart deposit addresses, to an automining node. Existing contracts
 * are left as they are: the deployers' transaction counts show how far an earlier deployment came.
 */
export async function deployVaults(client: DevnetClient, artifacts: Artifacts): Promise<void> {
  // Read before the deployment, whose own blocks have a higher limit.
  const { gasLimit } = await client.getBlock()
  for (const script of scriptsOf(client.chain.id)) {
    const done = await client.getTransactionCount({ address: script.from })
    if (done < script.steps.length) await deployRest(client, artifacts, { script, done, gasLimit })
  }
  await requireThisPlan(client)
}

async function deployRest(
  client: DevnetClient,
  artifacts: Artifacts,
  { script, done, gasLimit }: { script: Script; done: number; gasLimit: bigint },
) {
  const { from } = script
  await fundActors(client)
  await client.impersonateAccount({ address: from })
  // All transactions up to a cut go into one block, which is several times as fast as a block for each.
  // Anvil drops transactions of its pool that exceed the gas of the block.
  await client.setAutomine(false)
  await client.setBlockGasLimit({ gasLimit: BLOCK_GAS })
  try {
    const ends = [...script.cuts, script.steps.length]
    for (const [index, end] of ends.entries()) {
      const start = Math.max(done, ends[index - 1] ?? 0)
      const steps = script.steps.slice(start, end)
      if (start < end) await mineSteps(client, artifacts, { from, steps, firstNonce: start })
    }
  } finally {
    await client.setBlockGasLimit({ gasLimit })
    await client.setAutomine(true)
    await client.stopImpersonatingAccount({ address: from })
  }
}

/** Throws if another plan was deployed here before: the last contracts are then not at their addresses. */
async function requireThisPlan(client: DevnetClient) {
  const { factory, otherFactories = [] } = smartDepositsOf(client.chain.id).smartDeposit
  const last = [factory, ...otherFactories.map((other) => other.factory)] as Address[]
  const codes = await Promise.all(last.map((address) => client.getCode({ address })))
  if (codes.every((code) => code !== undefined)) return
  throw new Error(
    `Chain ${client.chain.id} has the vaults of another version: npm run reset forgets them`,
  )
}

/** The block in which a vault's former depositor was replaced; null if there was none. */
export async function readRetirementBlock(
  client: DevnetClient,
  { authority, versions }: VaultDeployment,
): Promise<number | null> {
  const [former, successor] = versions
  if (!former || !successor) return null
  const logs = await client.getLogs({
    address: authority,
    event: USER_ROLE_UPDATED,
    args: { user: former.depositor, role: VAULT_ROLES.depositor },
    fromBlock: 0n,
    strict: true,
  })
  const block = logs.find(({ args }) => !args.enabled)?.blockNumber
  if (block === undefined) throw new Error('Invariant(readRetirementBlock): it was deployed')
  return Number(block)
}

const [USER_ROLE_UPDATED] = parseAbi([
  'event UserRoleUpdated(address indexed user, uint8 indexed role, bool enabled)',
])

async function fundActors(client: DevnetClient) {
  for (const { address } of Object.values(DEVNET_ACTORS))
    await client.setBalance({ address, value: parseEther('10000') })
}

async function mineSteps(
  client: DevnetClient,
  artifacts: Artifacts,
  { from, steps, firstNonce }: { from: Address; steps: Step[]; firstNonce: number },
) {
  const batching = createClient({
    chain: client.chain,
    transport: http(client.transport.url, { batch: { batchSize: steps.length, wait: 0 } }),
  })
  const send = (step: Step, index: number): Promise<Hex> =>
    batching.request({
      method: 'eth_sendTransaction',
      params: [
        {
          from,
          nonce: toHex(firstNonce + index),
          gas: toHex(step.to ? GAS.call : GAS.create),
          value: toHex(step.value ?? 0n),
          data: encodeStep(artifacts, step),
          ...(step.to ? { to: step.to as Address } : {}),
        },
      ],
    })
  const hashes = await Promise.all(steps.map(send))
  await client.mine({ blocks: 1 })
  const receipts = await Promise.all(
    hashes.map((hash) => getTransactionReceipt(batching, { hash })),
  )
  const failed = receipts.findIndex(({ status }) => status !== 'success')
  if (failed !== -1) {
    const { contract, functionName } = steps[failed] as Step // Each step has its transaction receipt.
    throw new Error(
      `Transaction ${firstNonce + failed} of the vaults (${contract}.${functionName ?? 'create'}) failed on chain ${client.chain.id}`,
    )
  }
}
