import {
  type AbiEvent,
  type DecodeEventLogReturnType,
  encodeAbiParameters,
  encodeEventTopics,
  type Hex,
} from 'viem'
import { transitStationAbi } from '../../abis/transitStation.ts'

/** What a station can say. */
export type StationSaying = DecodeEventLogReturnType<typeof transitStationAbi>

const EVENTS: AbiEvent[] = transitStationAbi.flatMap((item) =>
  item.type === 'event' ? [item] : [],
)

/** The topics and data with which the station says it. */
export function encodeStationLog({ eventName, args }: StationSaying): { topics: Hex[]; data: Hex } {
  const event = EVENTS.find(({ name }) => name === eventName)
  if (!event) throw new Error(`Invariant(encodeStationLog): no event ${eventName}`)
  const values: Record<string, unknown> = { ...args }
  const inData = event.inputs.filter(({ indexed }) => !indexed)
  const topics = encodeEventTopics({ abi: [event], args: values })
  return {
    topics: topics.flatMap((topic) => topic ?? []),
    data: encodeAbiParameters(
      inData,
      inData.map(({ name = '' }) => values[name]),
    ),
  }
}
