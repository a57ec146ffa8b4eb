/** The query for one order of chain 1 in each peer's language: two look-ups, with the fields that our answer is made of. */
const SOURCE = `blockTimestamp transactionHash destinationEid offerAsset wantAsset offerAmount userAddress
  receiver distributorCode protocolFee integratorFee integratorFeeReceiver deadline messageGuid`
const DESTINATION =
  'chainId blockTimestamp amountDue remaining queuedAt status messageGuid executions'

export const POSTGRAPHILE_ORDER = `query ($id: String!) {
  source: transitSourceByChainIdAndOrderId(chainId: 1, orderId: $id) { ${SOURCE} }
  destinations: allTransitDestinations(condition: { orderId: $id }) { items: nodes { ${DESTINATION} } }
}`

export const PONDER_ORDER = `query ($id: String!) {
  source: transitSource(chainId: 1, orderId: $id) { ${SOURCE} }
  destinations: transitDestinations(where: { orderId: $id }) { items { ${DESTINATION} } }
}`

export type PeerOrder = {
  source: Record<
    | 'blockTimestamp'
    | 'transactionHash'
    | 'offerAsset'
    | 'wantAsset'
    | 'offerAmount'
    | 'userAddress'
    | 'receiver'
    | 'distributorCode'
    | 'protocolFee'
    | 'integratorFee'
    | 'deadline',
    string | number
  >
  destinations: {
    items: (Record<'amountDue' | 'remaining', string | null> & {
      /** PostGraphile gives JSON as text. */
      executions: string | Execution[]
    })[]
  }
}

type Execution = Record<'transactionHash' | 'timestamp' | 'amount' | 'remaining', string | number>
