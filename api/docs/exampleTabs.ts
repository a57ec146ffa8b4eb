import { exampleParameters } from '../openapi/examples.ts'

type Tab = { query: string; variables?: string; headers: string }

const QUERIES: { query: string; variables?: Record<string, unknown> }[] = [
  // The first tab is open at first, so it needs no key.
  {
    query: `query HowFresh {
  _meta { chains { chainId block { number timestamp } head lagSeconds isSynced } }
}
`,
  },
  {
    query: `query VaultsWithDeployments {
  vaults(pageSize: 5) {
    vaults {
      name
      deployments {
        chainId
        boringVaultAddress
        baseTokenAddress
        inDeprecation
        depositSupplyCap { formatted hasCap }
        assets { assetAddress depositable withdrawable }
      }
    }
    nextPageToken
  }
}
`,
  },
  {
    query: `query PositionsOfAUser($userAddress: Address!) {
  userPositions(userAddress: $userAddress) {
    userPositions { vaultAddress chainId shareBalance positionValueInBase exchangeRateToBase }
    nextPageToken
  }
}
`,
    variables: pick('listUserPositions', ['userAddress']),
  },
  {
    query: `query Quote(
  $userAddress: PayableAddress!, $offerAmount: Amount!, $offerAsset: PayableAddress!
  $sourceChainId: Int!, $wantAsset: PayableAddress!, $destinationChainId: Int!
) {
  transitOrderQuote(
    userAddress: $userAddress, offerAmount: $offerAmount, offerAsset: $offerAsset
    sourceChainId: $sourceChainId, wantAsset: $wantAsset, destinationChainId: $destinationChainId
  ) {
    amountOut
    totalFees
    estimatedLatencyMs
    expiresAt
    transaction { to value data }
  }
}
`,
    variables: pick('getOrderQuote', [
      'userAddress',
      'offerAmount',
      'offerAsset',
      'sourceChainId',
      'wantAsset',
      'destinationChainId',
    ]),
  },
  {
    query: `query OrderById($id: Hash!) {
  transitOrder(id: $id) { id status offerAmount amountDue remainingAmountDue createdAt updatedAt }
}
`,
    variables: { id: exampleParameters('getTransitOrder').orderId },
  },
  {
    query: `subscription OrderAsItMoves($id: Hash!) {
  transitOrder(id: $id) { id status remainingAmountDue finalized }
}
`,
    variables: { id: exampleParameters('getTransitOrder').orderId },
  },
]

/** Commented out, because an invalid key is refused. */
const HEADERS = `{
  // "x-api-key": "causeway_…"
}
`

/** The queries that GraphiQL opens with, with the variables of docs/examples. */
export function exampleTabs(): Tab[] {
  return QUERIES.map(({ query, variables }) => ({
    query,
    ...(variables && { variables: `${JSON.stringify(variables, null, 2)}\n` }),
    headers: HEADERS,
  }))
}

function pick(operationId: string, names: string[]): Record<string, unknown> {
  const given = exampleParameters(operationId)
  return Object.fromEntries(names.map((name) => [name, given[name]]))
}
