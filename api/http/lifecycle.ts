export type Lifecycle = {
  readonly phase: 'starting' | 'serving' | 'draining'
  /** Aborted when draining begins: long polls answer at once, streams end. */
  readonly draining: AbortSignal
  markReady(): void
  startDraining(): void
}

/** The phase of the process, for `/ready` and for requests that wait. */
export function createLifecycle(): Lifecycle {
  const drain = new AbortController()
  let isReady = false
  return {
    get phase() {
      if (drain.signal.aborted) return 'draining'
      return isReady ? 'serving' : 'starting'
    },
    draining: drain.signal,
    markReady() {
      isReady = true
    },
    startDraining() {
      drain.abort()
    },
  }
}
