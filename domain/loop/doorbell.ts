import { pause } from './pause.ts'

/** Ends a wait from outside. A ring while nobody waits ends the next wait at once. */
type Doorbell = {
  ring(): void
  /** Waits for a ring, this long at most, or until `signal` is aborted. */
  wait(ms: number, signal: AbortSignal): Promise<void>
}

export function createDoorbell(): Doorbell {
  let rung = Promise.withResolvers<void>()
  return {
    ring: () => rung.resolve(),
    async wait(ms, signal) {
      const over = new AbortController()
      await Promise.race([rung.promise, pause(ms, AbortSignal.any([signal, over.signal]))])
      over.abort()
      rung = Promise.withResolvers()
    },
  }
}
