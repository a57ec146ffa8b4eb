import { type ExecutionArgs, type ExecutionResult, execute, GraphQLError } from 'graphql'
import type { AppContext } from '../../domain/appContext.ts'
import { compiledOperation } from './compiledOperation.ts'

export type ContextArgs = ExecutionArgs & { contextValue: AppContext }

/**
 * Executes an operation. Each chain whose rows the answer lacks is an error of it: of a list over several
 * chains, GraphQL shows the rest beside the errors, and REST fails.
 */
export async function executeNamingLost(args: ContextArgs): Promise<ExecutionResult> {
  const run = compiledOperation(args.document)
  const { rootValue, contextValue, variableValues } = args
  const result = run
    ? await run(rootValue, contextValue, variableValues ?? {})
    : await execute(args)
  const { lostChains } = args.contextValue
  if (lostChains.length === 0) return result
  const lost = lostChains.map(
    ({ error, path }) => new GraphQLError(error.message, { path, originalError: error }),
  )
  return { ...result, errors: [...(result.errors ?? []), ...lost] }
}
