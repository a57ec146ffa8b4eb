import type { Address } from 'viem'
import type { VaultLife, VaultMoment } from './vaultLives.ts'

const HOUR = 3_600
const DAY = 24 * HOUR
/** The last days of a long life, in which the vault changes each hour. */
const HOURLY_DAYS = 8

type LongLife = { chainId: number; vault: Address; days: number /** Unix seconds. */; now: number }

/** The history of a vault whose shares change each hour of the last days, and each day before. Its rate grows to one. */
export function longVaultLife({ chainId, vault, days, now }: LongLife): VaultLife {
  const first = now - days * DAY
  const at = (time: number, index: number): VaultMoment => ({
    time,
    block: index + 1,
    // Six hours, a day and a week are no multiples of five hours, so neighbours on a chart differ.
    supply: 1_000_000_000_000n * BigInt(1 + (Math.floor(time / HOUR) % 5)),
    holders: 3,
    supplyBlock: index + 1,
    rate: 1_000_000n - BigInt(Math.floor((now - time) / HOUR)),
    rateBlock: index + 1,
  })
  const daily = Array.from({ length: days - HOURLY_DAYS - 1 }, (_, day) => first + (day + 1) * DAY)
  const count = HOURLY_DAYS * 24
  const hourly = Array.from({ length: count }, (_, hour) => now - (count - hour) * HOUR)
  const states = [...daily, ...hourly].map((time, index) => at(time, index + 1))
  const lower = vault.toLowerCase() as Address // It was an address before.
  return { chainId, vault: lower, openingRate: 1_000_000n, states: [at(first, 0), ...states] }
}
