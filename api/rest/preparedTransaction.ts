import type { z } from 'zod'
import type { responseFormatParam } from './params.ts'
import { graphql } from './route.ts'

/** A prepared transaction in the parts that `responseFormat` asks for; the document declares both variables. */
export const preparedTransactionFragment = graphql`
  fragment PreparedTransaction on PreparedTransaction {
    to
    value
    data @include(if: $withData)
    abi @include(if: $withCall)
    functionName @include(if: $withCall)
    args @include(if: $withCall)
  }
`

/** Those variables. */
export function transactionParts(format: z.output<typeof responseFormatParam>) {
  return { withData: format !== 'structured', withCall: format !== 'encoded' }
}
