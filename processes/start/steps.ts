/** Prints each step of the start with the time it took. */
export type Steps = {
  step<Result>(name: string, run: () => Promise<Result>): Promise<Result>
  elapsedSeconds(): string
}

export function createSteps(print: (line: string) => void): Steps {
  const startedAt = Date.now()
  const seconds = (since: number) => `${((Date.now() - since) / 1_000).toFixed(1)} s`
  return {
    async step(name, run) {
      const stepStartedAt = Date.now()
      const result = await run()
      print(`  ${seconds(stepStartedAt).padStart(7)}  ${name}`)
      return result
    },
    elapsedSeconds: () => seconds(startedAt),
  }
}
