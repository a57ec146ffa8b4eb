import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const PROGRAM = `
import { registerHooks } from 'node:module'
const loaded = []
registerHooks({
  resolve(name, context, next) {
    loaded.push(name)
    return next(name, context)
  },
})
const { startTracing } = await import('./startTracing.ts')
const tracing = await startTracing('test', JSON.parse(process.argv[1]), null)
await tracing?.stop()
console.log(loaded.filter((name) => name.startsWith('@opentelemetry/')).length)`

/** How many modules of OpenTelemetry a process loads. */
function loadedWith(variables: Record<string, unknown>): number {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '--eval', PROGRAM, JSON.stringify(variables)],
    { cwd: join(import.meta.dirname), encoding: 'utf8' },
  )
  expect(stderr).toBe('')
  return Number(stdout)
}

const sampling = { OTEL_TRACES_SAMPLER: 'always_off', OTEL_TRACES_SAMPLER_ARG: 1 }

test('default: without a collector, nothing of OpenTelemetry is loaded', () => {
  expect(loadedWith(sampling)).toBe(0)
})

test('behavior: with one, it is', () => {
  const OTEL_EXPORTER_OTLP_ENDPOINT = 'http://127.0.0.1:9'
  expect(loadedWith({ ...sampling, OTEL_EXPORTER_OTLP_ENDPOINT })).toBeGreaterThan(0)
})
