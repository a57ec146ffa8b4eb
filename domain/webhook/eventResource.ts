import { checksummed } from '../token/checksummed.ts'

const HASH = /^0x[0-9a-f]{64}$/i
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
/** An address on a chain, with a number of its own after it for a withdrawal request. */
const PLACE = /^(\d+):0x([0-9a-f]{40})(:\d+)?$/i

/** The text of a filter that expects the id of an event's resource. */
export const RESOURCE_ID_EXPECTED =
  'the id of a deposit, order, withdrawal request, vault (<chainId>:<vaultAddress>) or webhook endpoint'

/** The id of a resource in the form that events have; null for a text that is none. */
export function readResourceId(text: string): string | null {
  if (HASH.test(text) || UUID.test(text)) return text.toLowerCase()
  const [, chainId, address, rest = ''] = PLACE.exec(text) ?? []
  if (chainId === undefined || address === undefined) return null
  return `${chainId}:${checksummed(`0x${address}`)}${rest}`
}

/** The resources that can have this id, as `app.event` names them. */
export function resourcesOf(id: string): string[] {
  if (HASH.test(id)) return [`smart_deposit:${id}`, `transit_order:${id}`]
  if (UUID.test(id)) return [`webhook_endpoint:${id}`]
  return [id.split(':').length > 2 ? `withdrawal_request:${id}` : `vault:${id}`]
}

/** The id of a webhook endpoint in lower case; null for a text that is none. */
export function readEndpointId(text: string): string | null {
  return UUID.test(text) ? text.toLowerCase() : null
}
