import { graphql } from '../route.ts'

/** The fields of a Transit order over REST; documents name it `...TransitOrder`. */
export const transitOrderFragment = graphql`
  fragment TransitOrder on TransitOrder {
    id
    status
    sourceChainId
    destinationChainId
    offerAsset
    wantAsset
    offerAmount
    amountDue
    remainingAmountDue
    user
    receiver
    distributorCode
    receiveTime
    createdAt
    updatedAt
    finalized
    tokenMetadata
    orderExecuteds {
      id
      amount
      remaining
      timestamp
      txHash
      chainId
    }
    orderForceRemoveds {
      id
      timestamp
      txHash
      chainId
    }
  }
`
