import type { Hex } from 'viem'
import type { OrderWatch } from '../transit/orders/orderWatch.ts'
import type { ReadOrder } from '../transit/orders/readOrders.ts'
import {
  createResourceWatch,
  type IndexSignal,
  type ResourceWatch,
} from '../watch/resourceWatch.ts'
import { depositsVersion, type Journey } from './journey.ts'
import type { JourneyReading } from './journeyReads.ts'
import { readJourney } from './readJourneys.ts'

/** An organization's id and an order's. */
export type JourneyPlaceId = `${string}/${Hex}`

/** Waits for changes of either leg of a journey. */
export type JourneyWatch = ResourceWatch<JourneyPlaceId, Journey>

type Watched = JourneyReading & { readOrder: ReadOrder; orderWatch: OrderWatch }

export function createJourneyWatch(
  { readOrder, orderWatch, ...reading }: Watched,
  signals: IndexSignal[],
): JourneyWatch {
  const read = async (place: JourneyPlaceId) => {
    const [organizationId = '', id] = place.split('/')
    const { order } = await readOrder(id as Hex) // As the type of the place says.
    const journey = order && (await readJourney(reading, organizationId, order))
    return journey ?? undefined
  }
  const version = (journey: Journey) =>
    `${orderWatch.version(journey.order)} ${depositsVersion(journey)}`
  return createResourceWatch({ read, version }, (listener) => {
    const stops = signals.map((onChange) => onChange(listener))
    return () => {
      for (const stop of stops) stop()
    }
  })
}
