import { setTimeout as sleep } from 'node:timers/promises'

/** Waits this long, or until `signal` is aborted; an abort is not an error. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return sleep(ms, undefined, { signal }).catch((error) => {
    if (!signal.aborted) throw error
  })
}
