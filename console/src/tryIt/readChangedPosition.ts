import { type Connection, listUserPositions } from '@causeway/sdk'
import type { Address } from 'viem'

type Page = Awaited<ReturnType<ReturnType<typeof listUserPositions>['page']>>
type Place = {
  userAddress: Address
  filter: { chainId: number; vaultAddress: Address }
  /** The position before the change. */
  before: Page
  signal: AbortSignal
}

const TRIES = 30
const PAUSE_MS = 1_000

/** Reads a position until its shares have changed: the index is a moment behind the chain. */
export async function readChangedPosition(
  connection: Connection,
  { before, signal, ...place }: Place,
): Promise<void> {
  for (let tries = 1; tries <= TRIES; tries++) {
    const page = await listUserPositions(connection, place, { signal }).page()
    if (sharesOf(page) !== sharesOf(before)) return
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
}

function sharesOf({ userPositions }: Page): string {
  return String(userPositions[0]?.shareBalance ?? 0)
}
