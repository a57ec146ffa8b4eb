import { action } from '../connection/action.ts'
import { list } from '../connection/list.ts'
import * as api from '../generated/operations.ts'

/** Whether the service works, with the state of its database, index and nodes. `status` is `error` if a check is down. */
export const getHealth = /* @__PURE__ */ action(api.getHealthOperation)
/** Whether this process takes requests. */
export const getReady = /* @__PURE__ */ action(api.getReadyOperation)
/** Any GraphQL operation. Its answer is as the API sends it, with amounts and times as text. */
export const runGraphql = /* @__PURE__ */ action(api.runGraphqlOperation)
/** The chains of this service, with what each offers and how far its index is. */
export const listChains = /* @__PURE__ */ action(api.listChainsOperation, { key: 'chains' })
/** What is open now, and why what is not: one page of routes and vaults. With `userAddress` for that account. */
export const listCapabilities = /* @__PURE__ */ action(api.listCapabilitiesOperation)
/** The tokens of this service, with their prices and where they can be used. */
export const listTokens = /* @__PURE__ */ list(api.listTokensOperation, 'tokens')
