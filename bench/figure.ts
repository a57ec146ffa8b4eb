/** The kinds of figures of a case: requests per second, what a request costs in CPU, milliseconds at a percentile, megabytes, a ratio of two of these. */
export type Measure = 'perSecond' | 'cpuMicros' | 'p50' | 'p99' | 'megabytes' | 'ratio'

/** One value per round, and the bounds of their median. */
export type Figure = { values: number[]; least?: number; most?: number }

export type BenchCase = {
  /** The data that it is measured on, such as `orders, 10,000`. */
  group: string
  name: string
  figures: Partial<Record<Measure, Figure>>
  /** Why it was not measured. */
  failure?: string
}

/** Takes the cases of a group as they are measured. */
export type Report = (measured: BenchCase) => void

export type BenchOptions = {
  report: Report
  rounds: number
  /** True for the cases to measure: all, if none is named. */
  isWanted(name: string): boolean
  /** True for the cases that are named. */
  isNamed(name: string): boolean
}

/** The median. An even number of values has two in the middle: then it is their mean. */
export function median(values: number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  const at = (index: number) => sorted[Math.floor(index)] ?? Number.NaN
  return (at((sorted.length - 1) / 2) + at(sorted.length / 2)) / 2
}

export function holds(figure: Figure): boolean {
  const value = median(figure.values)
  return value >= (figure.least ?? Number.NEGATIVE_INFINITY) && value <= (figure.most ?? Infinity)
}

/** False if a bound is broken, or if it was not measured. */
export function caseHolds({ figures, failure }: BenchCase): boolean {
  return failure === undefined && Object.values(figures).every(holds)
}

/** The ratio of two figures in each round: what else the machine does changes between rounds. */
export function ratio(values: number[], others: number[]): number[] {
  return values.map((value, round) => value / (others[round] ?? Number.NaN))
}
