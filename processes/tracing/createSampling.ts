import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace'
import type { SAMPLERS } from './samplerNames.ts'

export type SamplerVariables = {
  OTEL_TRACES_SAMPLER: (typeof SAMPLERS)[number]
  /** The part of the traces that are kept, 0 to 1. */
  OTEL_TRACES_SAMPLER_ARG: number
}

/** `rootShare` is the part of the traces that begin here and are kept; `sampler` decides about everything else. */
export type Sampling = { rootShare: number; sampler: Sampler }

/**
 * The sampler of the standard variables, which the SDK itself does not read. What begins here is decided before the SDK makes
 * a span, because most of it is not kept; but for `traceidratio`, which decides by the id.
 */
export function createSampling({
  OTEL_TRACES_SAMPLER: name,
  OTEL_TRACES_SAMPLER_ARG: ratio,
}: SamplerVariables): Sampling {
  const ofParent = new ParentBasedSampler({ root: new AlwaysOnSampler() })
  switch (name) {
    case 'always_on':
      return { rootShare: 1, sampler: new AlwaysOnSampler() }
    case 'always_off':
      return { rootShare: 0, sampler: new AlwaysOffSampler() }
    case 'traceidratio':
      return { rootShare: 1, sampler: new TraceIdRatioBasedSampler(ratio) }
    case 'parentbased_always_on':
      return { rootShare: 1, sampler: ofParent }
    case 'parentbased_always_off':
      return { rootShare: 0, sampler: ofParent }
    case 'parentbased_traceidratio':
      return { rootShare: ratio, sampler: ofParent }
  }
}
