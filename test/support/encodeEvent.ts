import { type AbiEvent, encodeAbiParameters, encodeEventTopics, type Hex } from 'viem'

/** The topics and data of an event's log, by the names of its parameters. */
export function encodeEvent(
  event: AbiEvent,
  values: Record<string, unknown>,
): { topics: Hex[]; data: Hex } {
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
