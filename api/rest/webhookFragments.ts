import { graphql } from './route.ts'

/** A webhook endpoint; REST documents name it `...WebhookEndpoint`. */
export const webhookEndpointFragment = graphql`
  fragment WebhookEndpoint on WebhookEndpoint {
    id
    url
    description
    eventTypes
    filter
    status
    disabledReason
    previousSecretExpiresAt
    createdAt
    updatedAt
  }
`

/** A delivery; REST documents name it `...WebhookDelivery`. */
export const webhookDeliveryFragment = graphql`
  fragment WebhookDelivery on WebhookDelivery {
    eventId
    eventType
    organizationSequence
    resource
    sequence
    status
    attempts
    nextAttemptAt
    lastAttemptAt
    lastStatus
    lastError
    deliveredAt
    createdAt
  }
`
