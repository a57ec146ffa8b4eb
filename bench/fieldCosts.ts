import { randomBytes } from 'node:crypto'
import { getIntrospectionQuery } from 'graphql'
import { admitOperation, executeOperation } from '../api/graphql/admitOperation.ts'
import { prepareOperation } from '../api/graphql/prepareOperation.ts'
import type { AppContext } from '../domain/appContext.ts'
import { schema } from '../schema/schema.ts'
import { percentile } from '../test/support/percentile.ts'
import { startCostWorld } from './costWorld.ts'
import { selectAll } from './selectAll.ts'

/**
 * Measures the CPU time per point of each root field of `Query`, with all of its fields and its largest page, over data
 * that fill the page: `node bench/fieldCosts.ts`. Ends with 1 if a field takes ten times the CPU time per point of the
 * median field.
 */
const SECONDS = 1
const LEAST_RUNS = 5
const MOST_TIMES = 10
/** Below this, a field costs no more than the handling of its request, whatever its points. */
const LEAST_MS = 1
const print = (line: string) => process.stdout.write(`${line}\n`)

const world = await startCostWorld()
try {
  const measured = []
  for (const [name, query] of [...rootQueries(), ['__schema', introspection] as const])
    measured.push({ name, ...(await measure(query)) })
  const median = percentile(
    measured.map(({ perPoint }) => perPoint).sort((a, b) => a - b),
    0.5,
  )
  for (const { name, ms, points, perPoint, errors } of measured) {
    const times = perPoint / median
    const isCheap = ms >= LEAST_MS && times > MOST_TIMES
    print(
      `${isCheap ? 'CHEAP ' : 'holds '} ${name.padEnd(22)} ${ms.toFixed(2).padStart(8)} ms ${String(points).padStart(6)} points ${(perPoint * 1_000).toFixed(1).padStart(8)} µs a point, ${times.toFixed(2)} of the median${errors ? `  ${errors}` : ''}`,
    )
    if (isCheap) process.exitCode = 1
  }
} finally {
  await world.stop()
}

function rootQueries(): (readonly [string, (run: number) => string])[] {
  const fields = Object.values(schema.getQueryType()?.getFields() ?? {})
  return fields.map((field) => {
    const query = selectAll(field, world.argumentsOf(field.name))
    return [field.name, () => query] as const
  })
}

/** Another text each time, so that no cache helps. */
function introspection(run: number): string {
  return `${getIntrospectionQuery()} # ${run}`
}

async function measure(query: (run: number) => string) {
  await runOnce(query(-1))
  let [runs, cpuMs, points, errors] = [0, 0, 0, '']
  const until = performance.now() + SECONDS * 1_000
  while (performance.now() < until || runs < LEAST_RUNS) {
    const before = process.cpuUsage()
    const answer = await runOnce(query(runs))
    const { user, system } = process.cpuUsage(before)
    cpuMs += (user + system) / 1_000
    runs += 1
    points = answer.points
    errors = answer.errors
  }
  const ms = cpuMs / runs
  return { ms, points, perPoint: ms / points, errors }
}

/** Answers the query as the api does: parse, admit, execute, stringify. */
async function runOnce(query: string) {
  const context: AppContext = {
    ...world.context,
    requestId: randomBytes(8).toString('hex'),
    caller: world.caller,
    clientAddress: '127.0.0.1',
    freshness: new Map(),
    degraded: new Set(),
    lostChains: [],
  }
  const admitted = admitOperation(prepareOperation(query), { variables: undefined, context })
  const result = await executeOperation(admitted)
  JSON.stringify(result)
  return {
    points: admitted.cost?.requested ?? 1,
    errors: (result.errors ?? [])
      .map(({ message }) => message)
      .slice(0, 1)
      .join(),
  }
}
