/**
 * How a head contradicts the followed chain. `longer`: a branch from a known block, at least as high as the tip.
 * `shorter`: the same, but lower. `older`: a block of the followed chain itself. `final`: a branch from below the blocks
 * that Ponder can take back, or from an unknown block. `olderFinal`: a block of the followed chain from below them.
 */
export type Contradiction = 'longer' | 'shorter' | 'older' | 'final' | 'olderFinal'

/** A branch of other blocks is no old data, but one of the machines behind a URL may be stuck on it. */
const SHORTER_MS = 2_000
const FEWEST_LOOKS = 2

/**
 * How long a contradiction must last until it is believed. A machine that lags has caught up after a minute, of a
 * patience of a minute and a half. A wrong belief in `final` costs a whole index. That a node has forgotten final blocks
 * is never taken for a reorganisation.
 */
function believedAfterMs(contradiction: Contradiction, patienceMs: number): number {
  switch (contradiction) {
    case 'longer':
      return 0
    case 'shorter':
      return SHORTER_MS
    case 'older':
      return (patienceMs * 2) / 3
    case 'final':
      return patienceMs
    case 'olderFinal':
      return Number.POSITIVE_INFINITY
  }
}

export type ReorgDoubts = {
  /** Notes a contradiction on which the nodes agree. Returns whether it is believed now. */
  note(contradiction: Contradiction): boolean
  /** A node has the tip, or the chain went on. */
  clear(): void
  /** Whether nodes have contradicted the tip for so long that it can no longer be trusted. */
  isInDoubt(): boolean
}

/** Remembers since when, and how often, nodes have contradicted the followed chain. */
export function createReorgDoubts(patienceMs: number): ReorgDoubts {
  /** Until then what is indexed is taken for right. */
  const trustedMs = patienceMs / 3
  const doubts = new Map<Contradiction, { since: number; looks: number }>()
  return {
    note(contradiction) {
      const waitMs = believedAfterMs(contradiction, patienceMs)
      const { since, looks } = doubts.get(contradiction) ?? { since: Date.now(), looks: 0 }
      doubts.set(contradiction, { since, looks: looks + 1 })
      return waitMs === 0 || (looks + 1 >= FEWEST_LOOKS && Date.now() - since >= waitMs)
    },
    clear: () => doubts.clear(),
    isInDoubt: () =>
      [...doubts.values()].some(({ since, looks }) => looks > 1 && Date.now() - since > trustedMs),
  }
}
