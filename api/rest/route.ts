import { astFromValue, type GraphQLArgument, print } from 'graphql'
import type { AppContext } from '../../domain/appContext.ts'
import type { Reason } from '../../domain/error/reason.ts'
import { rootField } from '../../schema/rootField.ts'
import type { ReadAnswer } from './answer.ts'
import { fragmentOf } from './fragmentOf.ts'
import { type Parameter, type ParameterSource, parametersOf } from './parameters.ts'

type WaitOptions = { seen: string | null; timeoutMs: number; signal: AbortSignal }

/** How `waitSeconds` of a route waits. `args` are the arguments of its root field. */
export type RouteWait = {
  /** The version of the resource now; null where there is none. */
  version(context: AppContext, args: Record<string, unknown>): Promise<string | null>
  /** Resolves when the version may differ from `seen`, or when the time is over. */
  next(context: AppContext, args: Record<string, unknown>, wait: WaitOptions): Promise<void>
  /** Failures that may pass while the request waits. */
  passing: Reason[]
}

type Cache = 'no-store' | 'no-cache' | 'private, no-cache' | number

/**
 * A REST route as it is written. Its parameters are the arguments of the root field, its answer is the
 * resolved value.
 */
export type RouteDefinition = Omit<ParameterSource, 'method'> & {
  /** By default `GET` for a field of `Query`, `POST` for one of `Mutation`. */
  method?: ParameterSource['method']
  /** By default the name of the root field. */
  operationId?: string
  /** The root field of `Query` or `Mutation`. */
  field: string
  /** The only field of the answer; without it the answer is the resolved value itself. */
  key?: string
  /** The GraphQL selection set of the root field. */
  selection: string
  /** Fragments that the selection spreads, besides those of whole types: `...Token` is all of the type `Token`. */
  fragments?: string
  /** Boolean variables of the selection, from the parameters of `restOnly`. */
  included?: Record<string, (restOnly: Record<string, unknown>) => boolean>
  /** Fields that the answer lacks where they are null. */
  optional?: readonly string[]
  /** The error of a root field that resolves to null. */
  notFound?: Reason
  /** Reasons beyond those of every route, of a filter and of a page token. */
  errors?: readonly Reason[]
  /**
   * `no-cache` comes with an ETag, and is private where the answer belongs to the caller's organization; a number is the
   * seconds for which clients may keep the answer. By default `private, no-cache` for a read, `no-store` for a change and for a
   * prepared transaction.
   */
  cache?: Cache
  /** Requests within one second share one answer. Only for answers that do not depend on the caller. */
  isShared?: true
  /** The quota that a request is charged to: `prepare` where it reads chains for calldata, else `reads`. */
  limitClass?: 'prepare'
  wait?: RouteWait
  /** Keeps the answers of the route's document. */
  keep?: (route: Pick<Route, 'parameters' | 'cache'>, read: ReadAnswer) => ReadAnswer
}

/** A route with what is derived from its root field. */
export type Route = RouteDefinition & {
  method: ParameterSource['method']
  operationId: string
  errors: readonly Reason[]
  cache: Cache
  /** The GraphQL document that answers the route. */
  document: string
  parameters: readonly Parameter[]
  /** The description of the root field. */
  description: string
}

/** Whether the answers of a route come with an entity tag. */
export function hasEtag({ cache }: Pick<Route, 'cache'>): boolean {
  return cache === 'no-cache' || cache === 'private, no-cache'
}

/** Declares a route. `serveRoute` serves it. */
export function route(definition: RouteDefinition): Route {
  const { operation, field } = rootField(definition.field)
  const named = {
    method: operation === 'mutation' ? ('POST' as const) : ('GET' as const),
    operationId: definition.field,
    ...definition,
  }
  return {
    cache:
      operation === 'mutation' || definition.limitClass === 'prepare'
        ? 'no-store'
        : 'private, no-cache',
    ...named,
    errors: [...argumentErrors(field.args), ...(definition.errors ?? [])],
    document: documentOf(named, operation, field.args),
    parameters: parametersOf(named, field.args),
    description: field.description ?? '',
  }
}

/** The reasons that come with a filter and a page token. */
const ARGUMENT_ERRORS: Record<string, Reason> = {
  filter: 'INVALID_FILTER',
  pageToken: 'INVALID_PAGE_TOKEN',
}

function argumentErrors(args: readonly GraphQLArgument[]): Reason[] {
  return args.flatMap(({ name }) => ARGUMENT_ERRORS[name] ?? [])
}

type Documented = RouteDefinition & Pick<Route, 'operationId'>

function documentOf(
  { operationId, field, key = 'body', selection, fragments = '', included = {} }: Documented,
  operation: string,
  args: readonly GraphQLArgument[],
): string {
  const flags = Object.keys(included).map((name) => `$${name}: Boolean!`)
  const variables = inParentheses([...args.map(declaration), ...flags])
  const given = inParentheses(args.map(({ name }) => `${name}: $${name}`))
  const body = `{ ${key}: ${field}${given} ${selection} } ${fragments}`
  return `${operation} ${operationId}${variables} ${body} ${wholeTypes(body)}`
}

/** The fragments of whole types that a text spreads. Those that it defines itself are left out. */
function wholeTypes(text: string): string {
  const spread = new Set(text.match(/(?<=\.\.\.)\w+/g))
  return [...spread]
    .filter((name) => !text.includes(`fragment ${name} on `))
    .map(fragmentOf)
    .join('')
}

function declaration({ name, type, defaultValue }: GraphQLArgument): string {
  const usual = defaultValue === undefined ? null : astFromValue(defaultValue, type)
  return `$${name}: ${type}${usual ? ` = ${print(usual)}` : ''}`
}

function inParentheses(parts: string[]): string {
  return parts.length === 0 ? '' : `(${parts.join(', ')})`
}

/** Marks the text for editors. The document is parsed when the server starts. */
export function graphql(text: TemplateStringsArray): string {
  return text.join('')
}
