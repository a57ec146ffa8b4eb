import type { VaultEvent } from './vaultLogs.ts'

export const HOUR = 3_600
export const DAY = 24 * HOUR

/** The end of the period that an event is in, as text. */
export function periodEnd({ blockTimestamp }: VaultEvent, seconds: number): string {
  return String(Math.ceil(blockTimestamp / seconds) * seconds)
}
