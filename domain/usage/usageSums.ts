import { type AnsweredRequest, outcomeOf } from './answeredRequest.ts'

export const HOUR_SECONDS = 3_600

/** The requests of a key in an hour. */
export type UsageSum = {
  organizationId: string
  publicId: string
  /** The begin of the hour, in Unix seconds. */
  hour: number
  requests: number
  points: number
  refused: number
  invalid: number
  failed: number
}

export type UsageSums = {
  add(request: AnsweredRequest): void
  /** Adds sums that could not be written. */
  addBack(sums: readonly UsageSum[]): void
  /** Returns all sums and begins anew. They are in the order of the table's key, so that writers do not deadlock. */
  take(): UsageSum[]
}

/** Sums requests by key and hour. */
export function createUsageSums(): UsageSums {
  let sums = new Map<string, UsageSum>()
  const sumOf = (
    { organizationId, publicId }: Pick<UsageSum, 'organizationId' | 'publicId'>,
    hour: number,
  ) => {
    const name = `${organizationId}:${hour}:${publicId}`
    const known = sums.get(name)
    if (known) return known
    const sum = {
      organizationId,
      publicId,
      hour,
      requests: 0,
      points: 0,
      refused: 0,
      invalid: 0,
      failed: 0,
    }
    sums.set(name, sum)
    return sum
  }
  return {
    add(request) {
      const seconds = Math.floor(request.at / 1_000)
      const sum = sumOf(request, seconds - (seconds % HOUR_SECONDS))
      sum.requests += 1
      sum.points += request.points
      const outcome = outcomeOf(request.status)
      if (outcome === 'REFUSED') sum.refused += 1
      else if (outcome === 'INVALID') sum.invalid += 1
      else if (outcome === 'FAILED') sum.failed += 1
    },
    addBack(unwritten) {
      for (const more of unwritten) {
        const sum = sumOf(more, more.hour)
        sum.requests += more.requests
        sum.points += more.points
        sum.refused += more.refused
        sum.invalid += more.invalid
        sum.failed += more.failed
      }
    },
    take() {
      const taken = [...sums].sort(([left], [right]) => (left < right ? -1 : 1))
      sums = new Map()
      return taken.map(([, sum]) => sum)
    },
  }
}
