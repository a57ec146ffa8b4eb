import type { Clock } from '../cache/keptReads.ts'
import type { RequestScope } from '../context.ts'
import { ServiceError } from '../error/serviceError.ts'

/** The client of a request. */
export type Asker = Pick<RequestScope, 'caller' | 'clientAddress'>

export type LookupBudget = {
  /** Counts one look-up of this client. Throws `RPC_UNAVAILABLE` when the second's budget is used up. */
  spend(asker: Asker): void
}

/** Otherwise one client that guesses would keep all others from theirs. */
const SHARE_OF_CLIENT = { key: 1 / 2, address: 1 / 4 }

type BudgetOptions = {
  /** The things that are looked up, for the message. */
  what: string
  perSecond: number
  clock: Clock
}

/** Lets so many look-ups on nodes pass per second, of which one client has a part. */
export function createLookupBudget({ what, perSecond, clock }: BudgetOptions): LookupBudget {
  let window = { second: 0, spent: 0, by: new Map<string, number>() }
  return {
    spend({ caller, clientAddress }) {
      const second = Math.floor(clock.now() / 1_000)
      if (window.second !== second) window = { second, spent: 0, by: new Map() }
      const name = caller?.actor ?? clientAddress
      const own = window.by.get(name) ?? 0
      const most = perSecond * SHARE_OF_CLIENT[caller ? 'key' : 'address']
      if (own >= most || window.spent >= perSecond)
        throw new ServiceError('RPC_UNAVAILABLE', `Too many ${what} are being looked up`, {
          retryAfterSeconds: 1,
        })
      window.by.set(name, own + 1)
      window.spent += 1
    },
  }
}
