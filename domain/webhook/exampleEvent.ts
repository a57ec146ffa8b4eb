import { describeEvent, type FieldSchema } from './eventFields.ts'
import type { EventType } from './eventTypes.ts'
import type { EventBody } from './recordEvents.ts'

/** A body of this type as it may be sent, with every field that it can have. */
export function exampleEvent(type: EventType): EventBody {
  const { properties } = describeEvent(type)
  const { is_test: _, ...shown } = properties
  return Object.fromEntries(
    Object.entries(shown).map(([name, schema]) => [name, sampleOf(name, schema)]),
  ) as EventBody // The fields of every event are among them.
}

const ADDRESS = '0x0aB4aeb64DD9bb12ad543917b751fbC6E7386F33'

const BY_FORMAT: Record<string, string> = {
  'date-time': '2026-11-22T04:31:54.254Z',
  uuid: 'a03a85bc-2db4-4be1-8905-2e00ce84e834',
}
const BY_NAME: Record<string, string> = {
  id: `evt_${'1'.repeat(40)}`,
  reverted_event_id: `evt_${'2'.repeat(40)}`,
  vault_id: `1:${ADDRESS}`,
  chain_name: 'Ethereum',
  endpoint_origin: 'https://example.com',
  input_token_symbol: 'USDC',
  origin_token_symbol: 'USDG',
}
const BY_PATTERN: Record<string, string> = {
  '^0x[0-9a-f]{64}$': `0x${'1a'.repeat(32)}`,
  '^0x[0-9a-fA-F]{40}$': ADDRESS,
}

/** A value that a field may have. */
function sampleOf(name: string, schema: FieldSchema): unknown {
  const { const: only, enum: values, type, format = '', pattern = '' } = schema
  if (only !== undefined) return only
  if (values) return values[0]
  const types = [type].flat()
  if (types.includes('integer')) return name === 'deadline' ? 1_795_324_000 : 1
  if (types.includes('boolean')) return false
  if (pattern === '^[0-9]+$') return digits(name)
  return BY_FORMAT[format] ?? BY_NAME[name] ?? BY_PATTERN[pattern] ?? name
}

function digits(name: string): string {
  if (name.endsWith('chain_id')) return '1'
  return name.endsWith('decimals') ? '6' : '1000000'
}
