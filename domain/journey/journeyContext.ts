import type { RequestScope } from '../context.ts'
import type { SmartDepositServices } from '../smartDeposit/smartDepositContext.ts'
import type { TransitServices } from '../transit/transitContext.ts'
import type { JourneyReading } from './journeyReads.ts'
import type { JourneyWatch } from './journeyWatch.ts'
import type { KeeperLatencies } from './keeperLatencies.ts'

/** A journey is a Transit order that ends in a smart deposit, so its area uses both. */
export type JourneyServices = TransitServices &
  SmartDepositServices &
  JourneyReading & {
    journeyWatch: JourneyWatch
    keeperLatencies: KeeperLatencies
  }

export type JourneyContext = JourneyServices & RequestScope
