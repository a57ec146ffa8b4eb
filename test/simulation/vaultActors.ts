import { type Address, getAddress } from 'viem'
import {
  DEVNET_ACTORS,
  DEVNET_DIRECT_WITHDRAWER,
  DEVNET_SOLVER,
  DEVNET_USERS,
} from '../../devnet/accounts.ts'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import { PLANNED_TOKENS } from '../../devnet/plan.ts'
import type { VaultDeployment } from '../../devnet/vaults/deployment.ts'
import type { VaultPlayer } from './vaultPlayer.ts'

const [one = DEVNET_SOLVER, ...more] = DEVNET_USERS.slice(0, 6)

/** The accounts that deposit, pass shares on and request withdrawals. */
export const PLAYERS = [one, ...more] as const
/** The accounts that may withdraw at once, or settle all requests. */
export const DEPOSITING = [...PLAYERS, DEVNET_SOLVER, DEVNET_DIRECT_WITHDRAWER] as const
export const { outcast, recovery, feeRecipient } = DEVNET_ACTORS
/** Contracts that act while they receive a receipt. */
export const HASTY = {
  PassingReceiver: getAddress(`0x${'4a'.repeat(20)}`),
  CancellingReceiver: getAddress(`0x${'4b'.repeat(20)}`),
}

export type Asset = VaultDeployment['plan']['assets'][number]

export function assetAddress({ nativeWrapper }: VaultPlayer, { token }: Asset): Address {
  if (token !== 'WETH') return DEPLOYMENT.tokens[token]
  if (!nativeWrapper) throw new Error('Invariant(assetAddress): a chain of WETH has its wrapper')
  return nativeWrapper
}

export function assetDecimals({ token }: Asset): number {
  return PLANNED_TOKENS.find(({ symbol }) => symbol === token)?.decimals ?? 18
}

export function pickAsset({ random }: VaultPlayer, { plan: { assets } }: VaultDeployment): Asset {
  const [first, ...others] = assets
  if (!first) throw new Error('Invariant(pickAsset): a vault takes something')
  return random.pick([first, ...others])
}

export function balanceOf(player: VaultPlayer, token: Address, account: Address): Promise<bigint> {
  return player.read<bigint>(token, 'function balanceOf(address) view returns (uint256)', [account])
}

type Holding = { account: (typeof DEPOSITING)[number]; balance: bigint }

/** A random one of these that has shares; null if none has. */
export async function pickHolder(
  player: VaultPlayer,
  { vault }: VaultDeployment,
  among: readonly Holding['account'][] = PLAYERS,
): Promise<Holding | null> {
  const balances = await Promise.all(
    among.map((account) => balanceOf(player, vault, account.address)),
  )
  const holdings = among.map((account, place) => ({ account, balance: balances[place] ?? 0n }))
  const [first, ...others] = holdings.filter(({ balance }) => balance > 0n)
  return first ? player.random.pick([first, ...others]) : null
}

/** All of an amount, almost nothing, or a part. */
export function someOf({ random }: VaultPlayer, amount: bigint): bigint {
  if (random.chance(0.2)) return amount
  if (random.chance(0.1)) return amount === 0n ? 0n : 1n
  return (amount * BigInt(random.integer(1, 999))) / 1_000n
}
