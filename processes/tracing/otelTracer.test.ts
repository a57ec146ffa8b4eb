import { expect, test } from 'vitest'
import { createLogger } from '../logger.ts'
import type { SamplerVariables } from './createSampling.ts'
import { createOtelTracer } from './otelTracer.ts'

const KEPT = `00-${'ab'.repeat(16)}-${'cd'.repeat(8)}-01`
const NOT_KEPT = KEPT.replace(/01$/, '00')

function createTracer(name: SamplerVariables['OTEL_TRACES_SAMPLER'], ratio = 1) {
  const variables = { OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: ratio }
  return createOtelTracer('test', variables, createLogger('test', 'silent')).tracer
}

test.each([
  ['parentbased_always_on', 1, null, true],
  ['parentbased_always_off', 1, null, false],
  ['parentbased_traceidratio', 1, null, true],
  ['parentbased_traceidratio', 0, null, false],
  ['parentbased_traceidratio', 0, KEPT, true],
  ['parentbased_traceidratio', 1, NOT_KEPT, false],
  ['parentbased_traceidratio', 0, 'nonsense', false],
  ['traceidratio', 0, KEPT, false],
  ['traceidratio', 1, NOT_KEPT, true],
  ['always_on', 1, NOT_KEPT, true],
  ['always_off', 1, KEPT, false],
] as const)('default: %s %d under %s is kept: %s', (name, ratio, parent, isKept) => {
  const tracer = createTracer(name, ratio)
  const span = tracer.open({ name: 'request', kind: 'server', parent })
  span.enter(() => {
    expect(tracer.isSampled()).toBe(isKept)
    expect(tracer.traceParent()).toMatch(
      new RegExp(`^00-[0-9a-f]{32}-[0-9a-f]{16}-0${Number(isKept)}$`),
    )
    // The code that it calls decides in the same way.
    const part = tracer.open({ name: 'part', kind: 'internal', parent: tracer.traceParent() })
    if (name !== 'traceidratio') expect(part.enter(() => tracer.isSampled())).toBe(isKept)
  })
})

test('behavior: of a hundredth, a hundredth is kept', () => {
  const tracer = createTracer('parentbased_traceidratio', 0.01)
  let kept = 0
  for (let request = 0; request < 20_000; request += 1)
    kept += Number(tracer.open({ name: 'request', kind: 'server' }).enter(() => tracer.isSampled()))
  expect(kept).toBeGreaterThan(100)
  expect(kept).toBeLessThan(300)
})
