import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

type Attribute = { key: string; value: Record<string, unknown> }
type SentSpan = {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  attributes: Attribute[]
  status: { code?: number }
}
type Sent = { resourceSpans: { scopeSpans: { spans: SentSpan[] }[] }[] }

export type Span = Omit<SentSpan, 'attributes'> & { attributes: Record<string, unknown> }

export type TraceCollector = {
  /** For OTEL_EXPORTER_OTLP_ENDPOINT. */
  url: string
  spans: Span[]
  /** Everything that was sent, as text. */
  text(): string
  stop(): void
}

/** A collector that takes spans by OTLP over HTTP, as JSON. */
export async function startTraceCollector(): Promise<TraceCollector> {
  const sent: Sent[] = []
  const spans: Span[] = []
  const server = createServer(async (request, response) => {
    const body = (await json(request)) as Sent
    sent.push(body)
    for (const { scopeSpans } of body.resourceSpans)
      for (const span of scopeSpans.flatMap((scope) => scope.spans))
        spans.push({ ...span, attributes: valuesOf(span.attributes) })
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    text: () => JSON.stringify(sent),
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}

function valuesOf(attributes: Attribute[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))
}
