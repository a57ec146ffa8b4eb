import { action } from '../connection/action.ts'
import { list } from '../connection/list.ts'
import * as api from '../generated/operations.ts'

export const listApiKeys = /* @__PURE__ */ list(api.listApiKeysOperation, 'apiKeys')
/** Creates a key. Its `secret` is only in this answer. */
export const createApiKey = /* @__PURE__ */ action(api.createApiKeyOperation)
export const renameApiKey = /* @__PURE__ */ action(api.renameApiKeyOperation, { key: 'apiKey' })
/** Replaces a key, which works on for `overlapSeconds`. The new `secret` is only in this answer. */
export const rotateApiKey = /* @__PURE__ */ action(api.rotateApiKeyOperation)
export const revokeApiKey = /* @__PURE__ */ action(api.revokeApiKeyOperation, { key: 'apiKey' })
/** The requests of the keys, by hour or day. */
export const listApiUsage = /* @__PURE__ */ list(api.listApiUsageOperation, 'apiUsage')
/** The requests of the last seven days, the newest first. */
export const listRequestLog = /* @__PURE__ */ list(api.listRequestLogOperation, 'requests')
