import { Gauge, type Registry } from 'prom-client'

type Sample = readonly [labels: Record<string, string | number>, value: number | null]

type ReadGauge = {
  name: string
  help: string
  labelNames?: readonly string[]
  /** All samples now; one of null has no series. */
  read: () => Promise<readonly Sample[]>
}

/** A gauge that is read at each scrape. Gauges with one source share its read by `oncePerScrape`. */
export function readGauge(registry: Registry, { name, help, labelNames = [], read }: ReadGauge) {
  new Gauge({
    name: `causeway_${name}`,
    help,
    labelNames,
    registers: [registry],
    async collect() {
      const samples = await read()
      this.reset()
      for (const [labels, value] of samples) if (value !== null) this.set(labels, value)
    },
  })
}
