import { join } from 'node:path'
import { maxUint256, parseEther } from 'viem'
import { compileContracts } from '../../contracts/compileContracts.ts'
import { DEVNET_ACTORS } from '../../devnet/accounts.ts'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import type { VaultDeployment } from '../../devnet/vaults/deployment.ts'
import { type World, worldClient } from '../../devnet/world.ts'
import { depositCalls } from './shareMoves.ts'
import { assetAddress, DEPOSITING, HASTY, outcast } from './vaultActors.ts'
import { type HandCall, type PlayedCall, played, type VaultPlayer } from './vaultPlayer.ts'

const { deployer, vaultDeployer } = DEVNET_ACTORS
/** The gas of an approval. Very many have to fit into one block. */
const SETUP_GAS = 150_000

/** Prepares a history: `setUpVaults`, then a deposit of each accepted asset. */
export async function prepareVaults(world: World, player: VaultPlayer): Promise<void> {
  await setUpVaults(world, player)
  for (const deployment of player.deployments)
    for (const asset of deployment.plan.assets) {
      const user = player.random.pick(DEPOSITING)
      const deposit = { user, deployment, asset, receiver: user.address }
      if (!asset.isClosedForDeposits) await player.mine(await depositCalls(player, deposit))
    }
}

/**
 * Sets allowances for all actions, and blocks one account in USDC and in a freeze hook.
 * Existing deposits stay as they are.
 */
export async function setUpVaults(
  world: World,
  player: VaultPlayer,
  block: { time?: bigint } = {},
): Promise<void> {
  await placeHasty(world, player.chainId)
  const { deployments } = player
  const missing = await Promise.all(deployments.map((entry) => missingAllowances(player, entry)))
  const calls = [...outcasting(deployments), ...wrapping(player), ...missing.flat()]
  await player.mine(calls, { ...block, gas: SETUP_GAS })
}

async function placeHasty(world: World, chainId: number) {
  const root = join(import.meta.dirname, '..', '..')
  const artifacts = await compileContracts(join(root, 'test', 'contracts'))
  for (const [contract, address] of Object.entries(HASTY)) {
    const bytecode = artifacts[contract]?.deployedBytecode
    if (!bytecode) throw new Error(`${contract} was not compiled`)
    await worldClient(world, chainId).setCode({ address, bytecode })
  }
}

function outcasting(deployments: readonly VaultDeployment[]): PlayedCall[] {
  const hooks = deployments.flatMap(({ hook }) => (hook ? [hook] : []))
  return [
    played({
      from: deployer.address,
      to: DEPLOYMENT.tokens.USDC,
      call: ['function blacklist(address)', outcast.address],
    }),
    ...hooks.map((hook) =>
      played({
        from: vaultDeployer.address,
        to: hook,
        call: ['function setFrozen(address, bool)', outcast.address, true],
      }),
    ),
  ]
}

/** Wraps some of the native coin. */
function wrapping({ nativeWrapper }: VaultPlayer): PlayedCall[] {
  if (!nativeWrapper) return []
  const value = parseEther('100')
  return DEPOSITING.map(({ address: from }) => ({
    ...played({ from, to: nativeWrapper, call: ['function deposit()'] }),
    value,
  }))
}

async function missingAllowances(
  player: VaultPlayer,
  deployment: VaultDeployment,
): Promise<PlayedCall[]> {
  const { plan, vault, current } = deployment
  const needed = [
    { token: vault, spender: current.queue },
    ...plan.assets.map((asset) => ({
      token: assetAddress(player, asset),
      spender: current.depositor,
    })),
  ]
  const perToken = needed.map(({ token, spender }) =>
    Promise.all(
      DEPOSITING.map(async ({ address: from }) => {
        const allowed = await player.read<bigint>(
          ...([token, 'function allowance(address, address) view returns (uint256)'] as const),
          [from, spender],
        )
        const call: HandCall = ['function approve(address, uint256)', spender, maxUint256]
        return allowed > 0n ? [] : [played({ from, to: token, call })]
      }),
    ),
  )
  return (await Promise.all(perToken)).flat(2)
}
