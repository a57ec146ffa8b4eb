/** Texts and numbers that describe a span. They never hold keys, signatures, parameters of statements, bodies or URLs. */
type SpanAttributes = Record<string, string | number>

export type SpanStart = {
  name: string
  kind: 'server' | 'client' | 'consumer' | 'internal'
  attributes?: SpanAttributes
  /** The `traceparent` of W3C Trace Context under which it begins. Left out: the active span. */
  parent?: string | null | undefined
}

export type OpenSpan = {
  /** Runs `work` with this span as the active one. */
  enter<Result>(work: () => Result): Result
  set(attributes: SpanAttributes): void
  /** `error` is the kind of a failure, never its message. */
  end(error?: string): void
}

export type Tracer = {
  open(start: SpanStart): OpenSpan
  /** Whether the active span is kept. */
  isSampled(): boolean
  /** The active span as a `traceparent`; null without one. */
  traceParent(): string | null
}

let tracer: Tracer | null = null

/** Null ends tracing. Set before the parts that are traced are made. */
export function setTracer(given: Tracer | null): void {
  tracer = given
}

export function isTracing(): boolean {
  return tracer !== null
}

/** Whether what is done now is a part of a trace that is kept. */
export function isKept(): boolean {
  return tracer?.isSampled() ?? false
}

/** Null without a tracer. */
export function openSpan(start: SpanStart): OpenSpan | null {
  return tracer?.open(start) ?? null
}

/** A part of the work of the active span; null if that is not kept, and then `start` is not called. */
export function openPart(start: () => SpanStart): OpenSpan | null {
  return tracer?.isSampled() ? tracer.open(start()) : null
}

export function activeTraceParent(): string | null {
  return tracer?.traceParent() ?? null
}

/** Runs `work` in a span. `errorOf` is the kind of failure that its result is; by default none. */
export async function traced<Result>(
  span: OpenSpan | null,
  work: () => Promise<Result>,
  errorOf: (result: Result) => string | undefined = () => undefined,
): Promise<Result> {
  if (!span) return work()
  try {
    const result = await span.enter(work)
    span.end(errorOf(result))
    return result
  } catch (error) {
    span.end(error instanceof Error ? error.name : 'unknown')
    throw error
  }
}
