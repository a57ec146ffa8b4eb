import { list } from '../connection/list.ts'
import * as api from '../generated/operations.ts'

/** The events of the organization after `after`, up to the newest one now. */
export const listEvents = /* @__PURE__ */ list(api.listEventsOperation, 'events', (page) =>
  page.hasMore ? { after: page.nextAfter } : null,
)
