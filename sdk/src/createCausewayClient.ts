import { getIndicativeTransitQuote, getTransitQuote } from './actions/getTransitQuote.ts'
import { type Bound, bindActions } from './bindActions.ts'
import {
  type Connection,
  type ConnectionOptions,
  createConnection,
} from './connection/connection.ts'
import { cancelWithdrawal } from './flows/cancelWithdrawal.ts'
import { depositFrom } from './flows/depositFrom.ts'
import { depositIntoVault } from './flows/depositIntoVault.ts'
import { registerSmartDepositAddress } from './flows/registerDepositAddress.ts'
import { sendTransitOrder } from './flows/sendTransitOrder.ts'
import { takeBack } from './flows/takeBack.ts'
import { withdrawFromVault } from './flows/withdrawFromVault.ts'
import {
  accessGroup,
  adminGroup,
  coreGroup,
  earnGroup,
  eventsGroup,
  smartDepositsGroup,
  transitGroup,
  webhooksGroup,
} from './generated/groups.ts'
import { waitForWithdrawal } from './watch/waitForWithdrawal.ts'
import { waitForJourney, watchJourney } from './watch/watchJourney.ts'
import { waitForSmartDeposit, watchSmartDeposit } from './watch/watchSmartDeposit.ts'
import {
  followTransitOrder,
  waitForTransitOrder,
  watchTransitOrder,
} from './watch/watchTransitOrder.ts'

const transitActions = {
  ...transitGroup,
  quote: getTransitQuote,
  indicativeQuote: getIndicativeTransitQuote,
  send: sendTransitOrder,
  follow: followTransitOrder,
  watch: watchTransitOrder,
  wait: waitForTransitOrder,
}

const earnActions = {
  ...earnGroup,
  deposit: depositIntoVault,
  depositFrom,
  watchJourney,
  waitForJourney,
  withdraw: withdrawFromVault,
  cancel: cancelWithdrawal,
  wait: waitForWithdrawal,
}

const smartDepositActions = {
  ...smartDepositsGroup,
  register: registerSmartDepositAddress,
  takeBack,
  watch: watchSmartDeposit,
  wait: waitForSmartDeposit,
}

/** A connection with every function of the SDK, by the nouns of the API. */
export type CausewayClient = Connection & {
  transit: Bound<typeof transitActions>
  earn: Bound<typeof earnActions>
  smartDeposits: Bound<typeof smartDepositActions>
  webhooks: Bound<typeof webhooksGroup>
  events: Bound<typeof eventsGroup>
  access: Bound<typeof accessGroup>
  admin: Bound<typeof adminGroup>
  core: Bound<typeof coreGroup>
}

/**
 * The client of one installation of Causeway.
 *
 * @example
 * const causeway = createCausewayClient({ url: 'http://127.0.0.1:4000', shield })
 */
export function createCausewayClient(options: ConnectionOptions): CausewayClient {
  const connection = createConnection(options)
  return {
    ...connection,
    transit: bindActions(connection, transitActions),
    earn: bindActions(connection, earnActions),
    smartDeposits: bindActions(connection, smartDepositActions),
    webhooks: bindActions(connection, webhooksGroup),
    events: bindActions(connection, eventsGroup),
    access: bindActions(connection, accessGroup),
    admin: bindActions(connection, adminGroup),
    core: bindActions(connection, coreGroup),
  }
}
