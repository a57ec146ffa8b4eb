import { z } from 'zod'
import { graphql } from './route.ts'

const responseFormat = z
  .enum(
    ['default', 'encoded', 'full', 'structured'],
    'expected default, encoded, full or structured',
  )
  .default('encoded')
  .describe(
    'The parts of the transaction in the answer. `encoded`, also called `default`: `data`. `structured`: `abi`, `functionName` and `args`. `full`: all of them.',
  )

const HAS_DATA_ONLY = new Set<unknown>(['default', 'encoded'])

/**
 * For routes that select `...PreparedTransaction`: the parameter `responseFormat` chooses its parts. The fragment has the name of its type,
 * because OpenAPI names the schema by it.
 */
export const preparedTransaction = {
  restOnly: { responseFormat },
  included: {
    withData: (restOnly: Record<string, unknown>) => restOnly.responseFormat !== 'structured',
    withCall: (restOnly: Record<string, unknown>) => !HAS_DATA_ONLY.has(restOnly.responseFormat),
  },
  fragments: graphql`
    fragment PreparedTransaction on PreparedTransaction {
      to
      value
      data @include(if: $withData)
      abi @include(if: $withCall)
      functionName @include(if: $withCall)
      args @include(if: $withCall)
    }
  `,
}
