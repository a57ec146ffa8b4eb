/** What an indexer shows of one chain. */
export type ChainSign = {
  chainId: number
  /** Whether it has nothing to do: its index is at the head. */
  isIdle: boolean
  /** Whether this run of Ponder has written one of its heads. */
  isLive: boolean
  /** Moves with what Ponder does for this chain. */
  place: string
}

export type IndexSigns = {
  chains: ChainSign[]
  /** Moves with what Ponder does for any chain. */
  place: string
  /** Whether Ponder has asked for anything yet. Loading its modules shows nothing, and takes long on a busy machine. */
  hasBegun: boolean
}

const SILENT_MS = 20_000
const SILENT_START_MS = 120_000
/** A chain waits for the blocks of others in its process, and after a start for their catching up. */
const STANDING_MS = 60_000
const STANDING_START_MS = 300_000

type Stand = { place: string; since: number }

/**
 * Names the chain of a Ponder that hangs, or null. It hangs if nothing shows that it works, or if one chain stands
 * while the others go on. A slow machine shows little, but something.
 */
export function createStallClock(now = Date.now) {
  const stands = new Map<number | 'all', Stand>()
  const standsFor = (key: number | 'all', place: string) => {
    const known = stands.get(key)
    if (known?.place === place) return now() - known.since
    stands.set(key, { place, since: now() })
    return 0
  }
  return ({ chains, place, hasBegun }: IndexSigns): number | null => {
    // The clocks begin with the work, so they know also who is idle.
    const silentMs = standsFor('all', `${chains.map(({ isIdle }) => isIdle)} ${place}`)
    const open = chains.filter((chain) => {
      const limit = chain.isLive ? STANDING_MS : STANDING_START_MS
      return standsFor(chain.chainId, `${chain.isIdle} ${chain.place}`) > limit && !chain.isIdle
    })
    const waiting = chains.find(({ isIdle }) => !isIdle)
    const isSilent = silentMs > (hasBegun ? SILENT_MS : SILENT_START_MS)
    return (isSilent ? waiting : open[0])?.chainId ?? null
  }
}
