/** The number of blocks whose logs a node gives at once, learnt from its answers. */
export type LogWidth = {
  /** The most that are worth asking for; infinite until the node refuses. */
  most(): number
  granted(blocks: number): void
  refused(blocks: number): void
}

/** Granted ranges before a wider one is tried. It doubles when that one is refused. */
const FIRST_PATIENCE = 4
const MOST_PATIENCE = 256

/**
 * A refused width is halved. Wider ranges are tried again ever more rarely, because a node may refuse a range for
 * its number of logs, or for a fault that has passed.
 */
export function createLogWidth(): LogWidth {
  /** The width that works, and the one to ask for: the same, or twice as much as a trial. */
  let proven = Infinity
  let most = Infinity
  let patience = FIRST_PATIENCE
  let left = patience
  return {
    most: () => most,
    granted(blocks) {
      if (blocks < most || most === Infinity) return
      if (blocks > proven) {
        patience = 1
        left = patience
      }
      proven = blocks
      left -= 1
      most = left <= 0 ? proven * 2 : proven
    },
    refused(blocks) {
      if (blocks > most) return
      const isTrial = blocks > proven
      patience = isTrial ? Math.min(patience * 2, MOST_PATIENCE) : FIRST_PATIENCE
      left = patience
      if (!isTrial) proven = Math.max(1, Math.floor(blocks / 2))
      most = proven
    },
  }
}
