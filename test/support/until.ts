import { setTimeout as sleep } from 'node:timers/promises'
import { PATIENCE_MS } from './patience.ts'

/** A process takes seconds to start. One that waits for it and asks all the time takes a tenth of a core from it. */
const LONGEST_WAIT_MS = 100

/** Waits until it holds; throws what `describe` says if it never does. */
export async function until(
  holds: () => boolean | Promise<boolean>,
  describe = () => 'it did not come to pass',
): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS
  for (let waitMs = 10; !(await holds()); waitMs = Math.min(waitMs + 5, LONGEST_WAIT_MS)) {
    if (Date.now() > deadline) throw new Error(describe())
    await sleep(waitMs)
  }
}
