import { setTimeout as sleep } from 'node:timers/promises'
import { PATIENCE_MS } from './patience.ts'

/** Waits until it holds; throws what `describe` says if it never does. */
export async function until(
  holds: () => boolean | Promise<boolean>,
  describe = () => 'it did not come to pass',
): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(describe())
    await sleep(10)
  }
}
