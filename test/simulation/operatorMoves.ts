import { type Address, maxUint256, zeroAddress } from 'viem'
import { DEVNET_ACTORS } from '../../devnet/accounts.ts'
import type { VaultDeployment } from '../../devnet/vaults/deployment.ts'
import { transferCall } from './shareMoves.ts'
import { assetAddress, balanceOf, PLAYERS, pickAsset } from './vaultActors.ts'
import { encodeHand, type PlayedCall, played, type VaultPlayer } from './vaultPlayer.ts'

/** Actions of the operators of vaults. A plan is empty if nothing can be done. */

const { rateUpdater, vaultDeployer, executor } = DEVNET_ACTORS
const BPS = 10_000n

/** Up and down within the bounds; one in ten is beyond them, or too early, and pauses the accountant. */
export async function planRate(player: VaultPlayer): Promise<PlayedCall[]> {
  const { random } = player
  const { accountant } = random.pick(player.deployments).current
  const rate = await player.read<bigint>(accountant, 'function getRate() view returns (uint256)')
  const bps = random.chance(0.1) ? random.pick([-101, 101]) : random.integer(-100, 100)
  const newRate = random.chance(0.1) ? rate + 1n : (rate * (BPS + BigInt(bps))) / BPS
  const call: [string, bigint] = ['function updateExchangeRate(uint96)', newRate]
  return [played({ from: rateUpdater.address, to: accountant, call })]
}

export async function planPause(player: VaultPlayer): Promise<PlayedCall[]> {
  const { teller, accountant } = player.random.pick(player.deployments).current
  const to = player.random.pick([teller, accountant])
  return [played({ from: rateUpdater.address, to, call: ['function pause()'] })]
}

/** All paused contracts of the chain. */
export async function planUnpause(player: VaultPlayer): Promise<PlayedCall[]> {
  const perVault = await Promise.all(
    player.deployments.map(async ({ current: { teller, accountant } }) => {
      const [isTellerPaused, isRateThere] = await Promise.all([
        player.read<boolean>(teller, 'function isPaused() view returns (bool)'),
        player.passes(
          played({ from: rateUpdater.address, to: accountant, call: ['function getRateSafe()'] }),
        ),
      ])
      return [...(isTellerPaused ? [teller] : []), ...(isRateThere ? [] : [accountant])]
    }),
  )
  const call: [string] = ['function unpause()']
  return perVault.flat().map((to) => played({ from: vaultDeployer.address, to, call }))
}

/** No cap, 0, the present supply, or more; for depositors with caps. */
export async function planCap(player: VaultPlayer): Promise<PlayedCall[]> {
  const { random } = player
  const { vault, plan, current } = random.pick(player.deployments)
  if (current.generation === 'A') return []
  const supply = await player.read<bigint>(vault, 'function totalSupply() view returns (uint256)')
  const unit = 10n ** BigInt(plan.decimals)
  const cap = random.pick([
    ...([maxUint256, 0n, supply, supply * 3n + unit] as const),
    supply * BigInt(random.integer(2, 900)) + BigInt(random.integer(0, 999)),
  ])
  const calls = CAP_SETTERS.map((setter) =>
    played({ from: vaultDeployer.address, to: current.depositor, call: [setter, cap] }),
  )
  const known = await Promise.all(calls.map((call) => player.passes(call)))
  return calls.filter((_, index) => known[index])
}

/** The setters of the newest generation and of the builds of generation B. */
const CAP_SETTERS = ['setSupplyCapInBase', 'updateSupplyCap', 'updateSupplyCapInBase'].map(
  (name) => `function ${name}(uint256)`,
)

/** The manager takes assets out, as for an investment. */
export async function planOutflow(player: VaultPlayer): Promise<PlayedCall[]> {
  const { random } = player
  const deployment = random.pick(player.deployments)
  const asset = assetAddress(player, pickAsset(player, deployment))
  const held = await balanceOf(player, asset, deployment.vault)
  const amount = random.chance(0.6) ? held : (held * BigInt(random.integer(1, 99))) / 100n
  return [
    played({
      from: executor.address,
      to: deployment.vault,
      call: [
        'function manage(address[], bytes[], uint256[])',
        [asset],
        [encodeHand(transferCall(executor.address, amount))],
        [0n],
      ],
    }),
  ]
}

/** An account sends assets to a vault without getting shares. */
export async function planInflow(player: VaultPlayer): Promise<PlayedCall[]> {
  return planFunding(player, player.random.pick(player.deployments))
}

/** Like `planInflow`, to this vault: the asset of the first waiting request, in a usual amount. */
export async function planFunding(
  player: VaultPlayer,
  deployment: VaultDeployment,
): Promise<PlayedCall[]> {
  const { random } = player
  const { queue } = deployment.current
  const last = await player.read<bigint>(
    ...([queue, 'function lastProcessedOrder() view returns (uint256)'] as const),
  )
  const [, wanted] = await player.read<[bigint, Address]>(
    ...([queue, 'function orderAtQueueIndex(uint256) view returns (uint256, address)'] as const),
    [last + 1n],
  )
  const asset =
    wanted === zeroAddress ? assetAddress(player, pickAsset(player, deployment)) : wanted
  const user = random.pick(PLAYERS)
  const held = await balanceOf(player, asset, user.address)
  const amount = held / BigInt(random.integer(2_000, 20_000))
  return [played({ from: user.address, to: asset, call: transferCall(deployment.vault, amount) })]
}

/** Closes an asset for withdrawals, so that its requests cannot be paid, or opens it again. */
export async function planAssetChange(player: VaultPlayer): Promise<PlayedCall[]> {
  const deployment = player.random.pick(player.deployments)
  const asset = assetAddress(player, pickAsset(player, deployment))
  return [await assetChange(player, deployment, { asset })]
}

/** Opens all closed assets. */
export async function planReopening(player: VaultPlayer): Promise<PlayedCall[]> {
  const changes = await Promise.all(
    player.deployments.flatMap((deployment) =>
      deployment.plan.assets.map(async (planned) => {
        const asset = assetAddress(player, planned)
        const isOpen = await isWithdrawable(player, deployment, asset)
        return isOpen ? [] : [await assetChange(player, deployment, { asset })]
      }),
    ),
  )
  return changes.flat()
}

async function assetChange(
  player: VaultPlayer,
  deployment: VaultDeployment,
  { asset }: { asset: Address },
): Promise<PlayedCall> {
  const isOpen = await isWithdrawable(player, deployment, asset)
  const what = deployment.current.generation === 'A' ? 'Asset' : 'WithdrawAsset'
  const call: [string, Address] = [`function ${isOpen ? 'remove' : 'add'}${what}(address)`, asset]
  return played({ from: vaultDeployer.address, to: deployment.current.teller, call })
}

function isWithdrawable(
  player: VaultPlayer,
  { current: { teller, generation } }: VaultDeployment,
  asset: Address,
): Promise<boolean> {
  const name = generation === 'A' ? 'isSupported' : 'isWithdrawSupported'
  return player.read<boolean>(teller, `function ${name}(address) view returns (bool)`, [asset])
}

/** Changes the rate of an asset in the base asset, unless it is fixed. */
export async function planAssetRate(player: VaultPlayer): Promise<PlayedCall[]> {
  const { random } = player
  const changing = player.deployments.flatMap(({ plan, current }) =>
    plan.assets
      .filter(({ rate }) => rate !== undefined)
      .map((asset) => ({ accountant: current.accountant, asset: assetAddress(player, asset) })),
  )
  const [first, ...others] = changing
  if (!first) return []
  const { accountant, asset } = random.pick([first, ...others])
  const [, provider] = await player.read<[boolean, Address]>(
    ...([accountant, 'function rateProviderData(address) view returns (bool, address)'] as const),
    [asset],
  )
  const rate = await player.read<bigint>(provider, 'function getRate() view returns (uint256)')
  const changed = (rate * BigInt(random.integer(980, 1_020))) / 1_000n
  const call: [string, bigint] = ['function setRate(uint256)', changed]
  return [played({ from: vaultDeployer.address, to: provider, call })]
}
