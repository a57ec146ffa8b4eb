import type { CallOptions, Connection } from './connection.ts'
import type { Answer, Operation, OperationId, Parameters } from './operation.ts'
import { sendRequest } from './sendRequest.ts'

/** The arguments after the connection: parameters may be left out if all of them are optional. */
export type Arguments<Params> =
  Record<never, never> extends Params
    ? [params?: Params, options?: CallOptions]
    : [params: Params, options?: CallOptions]

export type Action<Params, Result> = (
  connection: Connection,
  ...args: Arguments<Params>
) => Promise<Result>

/** `key` is the only field of the answer, which is then the result. */
type Settings<Key> = { key: Key }

/** The function of an operation that has one answer. */
export function action<Id extends OperationId>(
  operation: Operation<Id>,
): Action<Parameters<Id>, Answer<Id>>
export function action<Id extends OperationId, Key extends keyof Answer<Id>>(
  operation: Operation<Id>,
  settings: Settings<Key>,
): Action<Parameters<Id>, Answer<Id>[Key]>
export function action<Id extends OperationId, Key extends keyof Answer<Id>>(
  operation: Operation<Id>,
  { key }: Partial<Settings<Key>> = {},
) {
  return async (connection: Connection, params?: object, options?: CallOptions) => {
    const { data } = await sendRequest(connection, operation, { params, options })
    return key === undefined ? data : data?.[key]
  }
}
