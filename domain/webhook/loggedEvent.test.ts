import { zeroHash } from 'viem'
import { expect, test } from 'vitest'
import { eventTest } from './eventFilter.ts'
import { EVENT_TYPES, type EventType } from './eventTypes.ts'
import { exampleEvent } from './exampleEvent.ts'
import { routedOf } from './loggedEvent.ts'
import { isSubscribedTo } from './recordDeliveries.ts'

const USER = '0x00000000000000000000000000000000000000aa'
const VAULT = '0x0aB4aeb64DD9bb12ad543917b751fbC6E7386F33'
const CODE = `0x${'cd'.repeat(32)}`

/** Whether a replay sends an event to an endpoint of its organization that selects all types by this filter. */
function isReplayed(filter: string, type: EventType, fields: object = {}): boolean {
  const routed = routedOf('acme', { ...exampleEvent(type), ...fields })
  const settings = { filter, defaultDistributorCode: null }
  const subscriber = {
    id: 'one',
    organizationId: 'acme',
    eventTypes: ['*'],
    isEnabled: true,
    ...settings,
    passesFilter: eventTest(settings),
  }
  return routed !== null && isSubscribedTo(subscriber, routed)
}

test.each<[string, EventType, object, boolean]>([
  [`userAddress = ${USER}`, 'transit.order.executed', { receiver_address: USER }, true],
  [`userAddress = ${USER}`, 'transit.order.executed', {}, false],
  [`distributorCode = ${CODE}`, 'transit.order.executed', { distributor_code: CODE }, true],
  [`distributorCode = ${CODE}`, 'transit.order.executed', {}, false],
  [`distributorCode = ${zeroHash}`, 'transit.order.executed', { distributor_code: zeroHash }, true],
  [`distributorCode = ${zeroHash}`, 'withdrawal.request.created', {}, false],
  [`userAddress = ${USER}`, 'withdrawal.request.refunded', { refund_receiver_address: USER }, true],
  [`vaultAddress = ${VAULT}`, 'withdrawal.request.created', { vault_address: VAULT }, true],
  [`vaultAddress = ${VAULT}`, 'vault.rate_updated', { vault_address: VAULT }, true],
  [`vaultAddress = ${VAULT}`, 'vault.rate_updated', { vault_address: USER }, false],
  [`vaultAddress = ${USER}`, 'smart_deposit.deposit.pending', { vault_address: VAULT }, true],
  ['', 'vault.paused', {}, true],
  ['', 'endpoint.failing', { endpoint_id: 'two' }, true],
  ['', 'endpoint.failing', { endpoint_id: 'one' }, false],
  ['', 'ping', {}, false],
])('default: the filter "%s" and %s with %j: %s', (filter, type, fields, expected) => {
  expect(isReplayed(filter, type, fields)).toBe(expected)
})

test('behavior: a test is not replayed, of whatever type', () => {
  for (const type of EVENT_TYPES)
    expect([type, isReplayed('', type, { is_test: true })]).toEqual([type, false])
})
