import { monitorEventLoopDelay } from 'node:perf_hooks'

const RESOLUTION_MS = 10
const SAMPLE_MS = 500
/** The mean delay of a sample. An answer waits for several turns of the event loop, so for longer. */
const MOST_DELAY_MS = 150
/** A single late sample is a start, a garbage collection or a stall, and is over when it is measured. */
const SAMPLES_IN_A_ROW = 2

export type LagMonitor = { isLagging(): boolean; stop(): void }

/**
 * Whether this process's event loop falls behind its work. (@fastify/under-pressure judges by one sample,
 * and counts a sample without measurements as overload.)
 */
export function startLagMonitor(): LagMonitor {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delay.enable()
  let lateSamples = 0
  const timer = setInterval(() => {
    // Without a measurement there was no turn of the event loop.
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
