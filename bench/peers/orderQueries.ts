/** The query for one order of chain 1 in each peer's language: three look-ups, with the fields that our answer is made of. */
const SUBMISSION = `blockTimestamp transactionHash destinationEid offerAsset wantAsset offerAmount userAddress
  receiver distributorCode protocolFee integratorFee integratorFeeReceiver deadline`
const DELIVERY = 'chainId blockTimestamp amountDue remaining queuedAt isExecuted isRemoved guid'
const EXECUTION = 'chainId transactionHash logIndex blockTimestamp amount remaining'

export const POSTGRAPHILE_ORDER = `query ($id: String!) {
  submission: transitSubmissionByChainIdAndOrderId(chainId: 1, orderId: $id) { ${SUBMISSION} }
  deliveries: allTransitDeliveries(condition: { orderId: $id }) { items: nodes { ${DELIVERY} } }
  executions: allTransitExecutions(condition: { orderId: $id }) { items: nodes { ${EXECUTION} } }
}`

export const PONDER_ORDER = `query ($id: String!) {
  submission: transitSubmission(chainId: 1, orderId: $id) { ${SUBMISSION} }
  deliveries: transitDeliverys(where: { orderId: $id }) { items { ${DELIVERY} } }
  executions: transitExecutions(where: { orderId: $id }) { items { ${EXECUTION} } }
}`

export type PeerOrder = {
  submission: Record<
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
  deliveries: { items: Record<'amountDue' | 'remaining' | 'guid', string | null>[] }
  executions: {
    items: Record<'transactionHash' | 'blockTimestamp' | 'amount' | 'remaining', string | number>[]
  }
}
