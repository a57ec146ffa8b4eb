import type { AbiEvent, DecodeEventLogReturnType, Hex } from 'viem'
import { transitStationAbi } from '../../abis/transitStation.ts'
import { encodeEvent } from './encodeEvent.ts'

/** The events of a station. */
export type StationSaying = DecodeEventLogReturnType<typeof transitStationAbi>

const EVENTS: AbiEvent[] = transitStationAbi.flatMap((item) =>
  item.type === 'event' ? [item] : [],
)

/** The topics and data of a station's log of this event. */
export function encodeStationLog({ eventName, args }: StationSaying): { topics: Hex[]; data: Hex } {
  const event = EVENTS.find(({ name }) => name === eventName)
  if (!event) throw new Error(`Invariant(encodeStationLog): no event ${eventName}`)
  return encodeEvent(event, { ...args })
}
