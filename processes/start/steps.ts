/** Prints each step of the start with the time it took, and what a long one still waits for. */
export type Steps = {
  /** `detail` describes what is missing while the step runs. */
  step<Result>(name: string, run: () => Promise<Result>, detail?: () => string): Promise<Result>
  elapsedSeconds(): string
}

const LONG_MS = 10_000

export function createSteps(print: (line: string) => void, longMs = LONG_MS): Steps {
  const startedAt = Date.now()
  const seconds = (since: number) => `${((Date.now() - since) / 1_000).toFixed(1)} s`
  return {
    async step(name, run, detail) {
      const stepStartedAt = Date.now()
      const line = (text: string) => print(`  ${seconds(stepStartedAt).padStart(7)}  ${text}`)
      const timer = setInterval(() => {
        const missing = detail?.()
        line(`waiting for: ${name}${missing ? ` (${missing})` : ''}`)
      }, longMs)
      try {
        const result = await run()
        line(name)
        return result
      } finally {
        clearInterval(timer)
      }
    },
    elapsedSeconds: () => seconds(startedAt),
  }
}
