import { setTimeout as sleep } from 'node:timers/promises'

/** Waits for so long, or until `signal` is aborted: whoever stops what waits is told nothing else. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return sleep(ms, undefined, { signal }).catch((error) => {
    if (!signal.aborted) throw error
  })
}
