const SCRAPE_LIFE_MS = 1_000

/** A read that the gauges of one scrape share. */
export function oncePerScrape<State>(read: () => Promise<State>): () => Promise<State> {
  let last: { at: number; state: Promise<State> } | undefined
  return () => {
    if (!last || Date.now() - last.at > SCRAPE_LIFE_MS) last = { at: Date.now(), state: read() }
    return last.state
  }
}
