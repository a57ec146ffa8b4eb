import { z } from 'zod'
import { graphql } from './route.ts'

const responseFormat = z
  .enum(['encoded', 'full', 'structured'], 'expected encoded, full or structured')
  .default('encoded')
  .describe(
    'The parts of the transaction in the answer. `encoded`: `data`. `structured`: `abi`, `functionName` and `args`. `full`: all of them.',
  )

/** For routes that select `...PreparedTransaction`: the parameter `responseFormat` chooses its parts. */
export const preparedTransaction = {
  restOnly: { responseFormat },
  included: {
    withData: (restOnly: Record<string, unknown>) => restOnly.responseFormat !== 'structured',
    withCall: (restOnly: Record<string, unknown>) => restOnly.responseFormat !== 'encoded',
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
