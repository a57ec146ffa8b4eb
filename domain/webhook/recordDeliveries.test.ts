import { describe, expect, test } from 'vitest'
import { type EventFacts, eventTest } from './eventFilter.ts'
import { isSubscribedTo, type Subscriber } from './recordDeliveries.ts'

const code = `0x${'c'.repeat(64)}` as const
const user = `0x${'1'.repeat(40)}` as const
const other = `0x${'2'.repeat(40)}` as const
const facts: EventFacts = {
  distributorCode: code,
  userAddresses: [user, other],
  vaultAddress: null,
}

function subscriber(watching: Partial<Subscriber> = {}): Subscriber {
  const filled = {
    id: 'one',
    organizationId: 'acme',
    eventTypes: ['*'],
    filter: null,
    defaultDistributorCode: code,
    isEnabled: true,
    ...watching,
  }
  return { ...filled, passesFilter: eventTest(filled) }
}
const event = { organizationId: 'acme', type: 'transit.order.submitted', facts } as const

describe('isSubscribedTo', () => {
  test.each([
    [['*'], true],
    [['transit.*'], true],
    [['transit.order.submitted'], true],
    [['transit.order'], false],
    [['transit.order.received', 'smart_deposit.*'], false],
    [[], false],
  ])('default: by types %j, %s', (eventTypes, isTold) => {
    expect(isSubscribedTo(subscriber({ eventTypes }), event)).toBe(isTold)
  })

  test.each([
    [null, true],
    ['', true],
    [`userAddress = ${user}`, true],
    [`userAddress = ${other}`, true],
    [`userAddress != ${other}`, false],
    [`vaultAddress = ${user}`, false],
    [`distributorCode = ${code} AND userAddress = ${user}`, true],
    [`distributorCode != ${code} OR vaultAddress != ${user}`, true],
  ])('behavior: by the filter %j, %s', (filter, isTold) => {
    expect(isSubscribedTo(subscriber({ filter }), event)).toBe(isTold)
  })

  test('behavior: a short code of the organization is that of its orders, with zeros after it', () => {
    const brief = subscriber({ defaultDistributorCode: '0xcc' })
    const distributorCode = `0xcc${'00'.repeat(31)}` as const
    const own = { ...event, facts: { ...facts, distributorCode } }
    expect([isSubscribedTo(brief, own), isSubscribedTo(brief, event)]).toEqual([true, false])
  })

  test('behavior: without a code of the organization nothing is watched; deposits are not filtered', () => {
    const codeless = subscriber({ defaultDistributorCode: null })
    const foreign = { ...event, facts: { ...facts, distributorCode: null } }
    expect([isSubscribedTo(codeless, event), isSubscribedTo(codeless, foreign)]).toEqual([
      false,
      false,
    ])
    const deposit = { organizationId: 'acme', type: 'smart_deposit.deposit.pending' } as const
    expect(
      isSubscribedTo(subscriber({ filter: `userAddress = ${code.slice(0, 42)}` }), deposit),
    ).toBe(true)
  })
})
