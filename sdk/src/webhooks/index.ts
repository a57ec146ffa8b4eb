export { type EventStore, handleOnce, memoryEventStore } from './eventStore.ts'
export { type ReceiverOptions, receiveWebhook, type WebhookAnswer } from './receiveWebhook.ts'
export {
  type CausewayEvent,
  type CausewayEventType,
  type VerifyWebhookParameters,
  verifyWebhook,
  type WebhookHeaders,
  WebhookVerificationError,
} from './verifyWebhook.ts'
export { fastifyWebhooks, fetchWebhookHandler, nodeWebhookHandler } from './webhookHandlers.ts'
