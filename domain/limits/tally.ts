export type Tally = {
  count(name: string): number
  /** The names that have something open. */
  names(): string[]
  /** Counts one more until the returned function is called. */
  enter(name: string): () => void
}

/** Counts what each name has open in this process. */
export function createTally(): Tally {
  const open = new Map<string, number>()
  const count = (name: string) => open.get(name) ?? 0
  return {
    count,
    names: () => [...open.keys()],
    enter(name) {
      open.set(name, count(name) + 1)
      return () => {
        if (count(name) <= 1) open.delete(name)
        else open.set(name, count(name) - 1)
      }
    },
  }
}
