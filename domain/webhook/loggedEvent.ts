import { type Address, type Hex, zeroAddress } from 'viem'
import type { EventFacts } from './eventFilter.ts'
import type { Routed } from './recordDeliveries.ts'
import type { EventBody } from './recordEvents.ts'

/** The fields of bodies that endpoints' filters compare. Smart deposits and endpoints have no facts: no filter applies to them. */
type ComparedFields = {
  distributor_code?: Hex
  user_address?: Address
  receiver_address?: Address
  refund_receiver_address?: Address
  vault_address?: Address
}

const OF_NO_ORGANIZATION = /^(transit|withdrawal|vault)\./

/**
 * The properties of an event of the log that select its endpoints; null for one that was sent to one endpoint alone, as
 * a ping.
 */
export function routedOf(organizationId: string, body: EventBody): Routed | null {
  const { type } = body
  if (type === 'ping' || body.is_test === true) return null
  if (type.startsWith('endpoint.'))
    return { organizationId, type, exceptEndpointId: String(body.endpoint_id) }
  if (!OF_NO_ORGANIZATION.test(type)) return { organizationId, type }
  return { organizationId, type, facts: factsOf(body as ComparedFields) }
}

function factsOf(body: ComparedFields): EventFacts {
  const users = [body.user_address, body.receiver_address, body.refund_receiver_address]
  return {
    distributorCode: body.distributor_code ?? null,
    userAddresses: users.flatMap((address) =>
      address && address !== zeroAddress ? [lower(address)] : [],
    ),
    vaultAddress: body.vault_address ? lower(body.vault_address) : null,
  }
}

function lower(address: Address): Address {
  return address.toLowerCase() as Address
}
