import { action } from '../connection/action.ts'
import { list } from '../connection/list.ts'
import * as api from '../generated/operations.ts'

/** Registers a receiver. Its secret is only in this answer. */
export const createWebhookEndpoint = /* @__PURE__ */ action(api.createWebhookEndpointOperation)
export const listWebhookEndpoints = /* @__PURE__ */ list(
  api.listWebhookEndpointsOperation,
  'webhookEndpoints',
)
export const getWebhookEndpoint = /* @__PURE__ */ action(api.getWebhookEndpointOperation, {
  key: 'endpoint',
})
export const updateWebhookEndpoint = /* @__PURE__ */ action(api.updateWebhookEndpointOperation, {
  key: 'endpoint',
})
export const deleteWebhookEndpoint = /* @__PURE__ */ action(api.deleteWebhookEndpointOperation, {
  key: 'endpoint',
})
export const rotateWebhookSecret = /* @__PURE__ */ action(api.rotateWebhookSecretOperation)
export const pingWebhookEndpoint = /* @__PURE__ */ action(api.pingWebhookEndpointOperation)
/** Sends an example of a type of event, with `is_test: true`. */
export const testWebhookEndpoint = /* @__PURE__ */ action(api.testWebhookEndpointOperation)
export const listWebhookDeliveries = /* @__PURE__ */ list(
  api.listWebhookDeliveriesOperation,
  'deliveries',
)
/** The attempts of one delivery, the newest first: what was sent, and what was answered. */
export const listWebhookAttempts = /* @__PURE__ */ action(api.listWebhookAttemptsOperation, {
  key: 'attempts',
})
/** How the deliveries to an endpoint did in the last day. */
export const getWebhookFigures = /* @__PURE__ */ action(api.getWebhookFiguresOperation, {
  key: 'figures',
})
/** Sends events of the log again, in order per resource. */
export const startWebhookReplay = /* @__PURE__ */ action(api.startWebhookReplayOperation, {
  key: 'replay',
})
/** How far the newest replay is. */
export const getWebhookReplay = /* @__PURE__ */ action(api.getWebhookReplayOperation, {
  key: 'replay',
})
export const cancelWebhookReplay = /* @__PURE__ */ action(api.cancelWebhookReplayOperation, {
  key: 'replay',
})
/** Sends one event again, with new attempts. */
export const redeliverWebhook = /* @__PURE__ */ action(api.redeliverWebhookOperation, {
  key: 'delivery',
})
