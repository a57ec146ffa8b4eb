import { assetsFor } from '../vaults/shareMath.ts'
import type { WithdrawalConditions } from './withdrawalConditions.ts'

/** Whether the sender can withdraw at once now, if the vault holds enough. */
export function isAtOnce(read: WithdrawalConditions): boolean {
  const { mayWithdrawAtOnce, withdrawableAtOnce, isTellerPaused, rate } = read
  return mayWithdrawAtOnce && withdrawableAtOnce && !isTellerPaused && rate !== null
}

/** Units of the asset that the teller pays for shares at once; null if a withdrawal has to be a request. */
export function assetsAtOnce(shares: bigint, read: WithdrawalConditions): bigint | null {
  const { rate, decimals, vaultBalance } = read
  if (!isAtOnce(read) || rate === null) return null
  const assets = assetsFor(shares, { rate, decimals })
  return vaultBalance < assets ? null : assets
}
