import { pause } from './pause.ts'

type Repeated = {
  run: () => Promise<unknown>
  /** From the end of a run to the next one. */
  everyMs: number | (() => number)
  /** Called with the failure of a run, after which the next follows all the same. */
  onFailure?: (error: unknown) => unknown
}

export type Loop = { stop(): Promise<void> }

/**
 * Runs again and again. Resolves to true as soon as a run does, or `onFailure` for it, and to false when `signal`
 * aborts. Without `onFailure`, it rejects with the first failure.
 */
export async function repeat(
  { run, everyMs, onFailure }: Repeated,
  signal: AbortSignal,
): Promise<boolean> {
  while (!signal.aborted) {
    const result = onFailure ? await run().catch(onFailure) : await run()
    if (result === true) return true
    await pause(typeof everyMs === 'number' ? everyMs : everyMs(), signal)
  }
  return false
}

/** Runs again and again until it is stopped. */
export function startLoop(repeated: Repeated & Required<Pick<Repeated, 'onFailure'>>): Loop {
  const stopping = new AbortController()
  const ended = repeat(repeated, stopping.signal)
  return {
    async stop() {
      stopping.abort()
      await ended
    },
  }
}
