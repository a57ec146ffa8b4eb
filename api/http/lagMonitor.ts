import { monitorEventLoopDelay } from 'node:perf_hooks'

const RESOLUTION_MS = 10
const SAMPLE_MS = 500
/** Mean of a sample; an answer waits for several turns, so it takes several times as long. */
const MOST_DELAY_MS = 150
/** One is a start, a collection, a machine that stalled: over when it is known. */
const SAMPLES_IN_A_ROW = 2

export type LagMonitor = { isLagging(): boolean; stop(): void }

/**
 * Whether this process's event loop has more to do than it gets done. (@fastify/under-pressure judges by
 * one sample, and takes one that measured nothing for the worst.)
 */
export function startLagMonitor(): LagMonitor {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delay.enable()
  let lateSamples = 0
  const timer = setInterval(() => {
    // Where nothing was measured, there was no turn.
    const isInTime = delay.mean / 1e6 - RESOLUTION_MS <= MOST_DELAY_MS
    lateSamples = isInTime ? 0 : lateSamples + 1
    delay.reset()
  }, SAMPLE_MS).unref()
  return {
    isLagging: () => lateSamples >= SAMPLES_IN_A_ROW,
    stop() {
      clearInterval(timer)
      delay.disable()
    },
  }
}
