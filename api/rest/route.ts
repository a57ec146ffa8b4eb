import type { z } from 'zod'
import type { RequestContext } from '../../domain/context.ts'
import type { Reason } from '../../domain/error/reason.ts'
import type { FieldViolation } from '../../domain/error/serviceError.ts'

type WaitOptions = { timeoutMs: number; signal: AbortSignal }

/** How `waitSeconds` of a route waits; `seen` is what `version` said, null for nothing yet. */
export type RouteWait<Params> = {
  version(context: RequestContext, params: Params): Promise<string | null>
  next(
    context: RequestContext,
    params: Params,
    wait: WaitOptions & { seen: string | null },
  ): Promise<void>
  /** Failures that may pass while one waits. */
  passing: Reason[]
}

/** A REST route is data: the answer's body is what its stored document returns. */
export type Route<Shape extends z.ZodRawShape = z.ZodRawShape> = {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** With `{name}` for each path parameter, as in OpenAPI. */
  path: string
  operationId: string
  summary: string
  /** Path and query parameters, by the names of the document's variables; fields of the body where there is one. */
  params: z.ZodObject<Shape>
  /** A GraphQL query or mutation, aliases naming the body's fields. Of a field named `body` the value is the body. */
  document: string
  /** The document's variables, where they are not the parameters themselves. */
  variables?(params: z.output<z.ZodObject<Shape>>): Record<string, unknown>
  /** Fields that the answer lacks where they are null. */
  optional?: readonly string[]
  /** What a null root means. */
  notFound?: Reason
  /** What it can answer beyond what every route can. */
  errors?: Reason[]
  /** `no-cache` comes with an ETag; a number is the seconds it may be kept. */
  cache: 'no-store' | 'no-cache' | number
  /** All who ask it within a second get one answer: for large ones that tell every caller the same. */
  isShared?: true
  /**
   * What the read refuses of parameters that need not all parse, so that one answer can name all that
   * is bad: as they came, and those of them that are well-formed.
   */
  refusals?(
    context: RequestContext,
    input: Record<string, unknown>,
    parsed: Partial<z.output<z.ZodObject<Shape>>>,
  ): FieldViolation[]
  /** Which allowance it is charged to: `prepare` where it reads chains for calldata, else `reads`. */
  limitClass?: 'prepare'
  wait?: RouteWait<z.output<z.ZodObject<Shape>>>
}

/** Declares a route; nothing happens until `serveRoute`. */
export function route<Shape extends z.ZodRawShape>(definition: Route<Shape>): Route<Shape> {
  return definition
}

/** Marks the text for editors; the document is parsed when the server starts. */
export function graphql(text: TemplateStringsArray): string {
  return text.join('')
}
