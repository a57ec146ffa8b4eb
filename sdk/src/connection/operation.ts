import type { FilterKeys, operations } from '../generated/api.ts'
import type { Filter } from './writeFilter.ts'

/** How an answer is decoded: `b` bigint, `d` date, `u` Unix time; properties that are not named stay as they are. */
export type Shape = 'b' | 'd' | 'u' | { readonly [property: string]: Shape }

/** An operation of the API as `generated/operations.ts` describes it. */
export type Operation<Id extends OperationId = OperationId> = {
  readonly id: Id
  readonly method: string
  readonly path: string
  /** The parameters that are addresses, separated by blanks. */
  readonly addresses?: string
  readonly shape?: Shape
  /** Another status than 2xx whose answer is not an error but has the same form. */
  readonly alsoAnswers?: number
}

/** The operations that answer JSON. */
export type OperationId = {
  [Id in keyof operations]: operations[Id]['responses'] extends {
    200: { content: { 'application/json': unknown } }
  }
    ? Id
    : never
}[keyof operations]

/** The decoded answer of an operation. */
export type Answer<Id extends OperationId> = operations[Id]['responses'] extends {
  200: { content: { 'application/json': infer Body } }
}
  ? Body
  : never

type Present<T> = [T] extends [never] ? unknown : T
type Part<Given, Name extends string> = Given extends { [N in Name]?: infer Value }
  ? Present<NonNullable<Value>>
  : unknown
type Body<Id extends OperationId> = operations[Id] extends {
  requestBody: { content: { 'application/json': infer Value } }
}
  ? // A body without fields is `Record<string, never>`, which would refuse the parameters of the path too.
    string extends keyof Value
    ? unknown
    : Value
  : unknown

type Written<Id extends OperationId> = Part<operations[Id]['parameters'], 'query'> &
  Part<operations[Id]['parameters'], 'path'> &
  Body<Id>

/**
 * All parameters of an operation in one object. A list's `filter` is typed by its keys, or text. A key beside the filter
 * is refused, because the API would ignore it.
 */
export type Parameters<Id extends OperationId> = Id extends keyof FilterKeys
  ? Flat<
      Omit<Written<Id>, 'filter'> & { filter?: Filter<FilterKeys[Id]> | string } & {
        [Key in Exclude<keyof FilterKeys[Id], keyof Written<Id>>]?: never
      }
    >
  : Flat<Written<Id>>

type Flat<T> = { [Key in keyof T]: T[Key] }
