import { GRAPHQL_CALLS } from '../generated/graphqlCalls.ts'
import type { ShownOperation } from './operations.ts'
import { requestParameters } from './requestParameters.ts'
import type { Exchange } from './step.ts'

type Arguments = Record<string, { name: string; isText: boolean }>

/** A request as the GraphQL operation that answers the same. */
export function writeGraphql(operation: ShownOperation, exchange: Exchange): string {
  const { field, selection, ...call } = GRAPHQL_CALLS[operation]
  // Each operation has its own names; they are looked up by those of the request.
  const known: Arguments = call.arguments
  const lines = requestParameters(exchange).flatMap(([name, value]) => {
    const argument = known[name]
    return argument ? [`${argument.name}: ${argument.isText ? JSON.stringify(value) : value}`] : []
  })
  const given = lines.length > 0 ? `(\n${lines.map((line) => `    ${line}\n`).join('')}  )` : ''
  return `{\n  ${field}${given} ${indented(selection)}\n}`
}

function indented(text: string): string {
  return text.replaceAll('\n', '\n  ')
}
