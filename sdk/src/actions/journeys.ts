import { action } from '../connection/action.ts'
import { list } from '../connection/list.ts'
import * as api from '../generated/operations.ts'

/** A deposit from another chain or token, by the id of its order. */
export const getJourney = /* @__PURE__ */ action(api.getJourneyOperation, { key: 'journey' })
export const listJourneys = /* @__PURE__ */ list(api.listJourneysOperation, 'journeys')
