import { type Hex, maxUint256 } from 'viem'
import type { StationSaying } from './encodeStationLog.ts'
import type { SeededRandom } from './seededRandom.ts'

export type OrderChain = { chainId: number; eid: number; lastBlock: number }

/** The events of one call to a station, at `block` and, within it, after those of a lower `rank`. */
export type StationAct = { chainId: number; block: number; rank: number; sayings: StationSaying[] }

type Places = { at(block: number): Place; after(place: Place): Place }
type Place = { block: number; rank: number }
type Terms = ReturnType<typeof randomTerms>

/** An endpoint that the test's address book does not have. */
const FOREIGN_EID = 30_184
const DECIMALS = [6, 18] as const

/**
 * The stations' events of one random order: valid on each chain alone, in any order between the
 * chains.
 */
export function randomOrder(
  random: SeededRandom,
  [one, other]: readonly [OrderChain, OrderChain],
): StationAct[] {
  const [source, destination] = random.pick([
    [one, other],
    [other, one],
    [one, one],
    [other, other],
  ])
  const terms = randomTerms(random, { source, destination })
  const isForeign = source !== destination && random.chance(0.04)
  const places = placesOf(random)
  if (source === destination) return sameChainLife(random, { terms, chain: source, places })
  const submitted = places.at(random.integer(1, source.lastBlock))
  const arrived = places.at(arrivalBlock(random, submitted.block, destination.lastBlock))
  if (isForeign && random.chance(0.5))
    return [act(source, submitted, submission(terms, FOREIGN_EID))]
  const sourceEid = isForeign ? FOREIGN_EID : source.eid
  return [
    ...(isForeign ? [] : [act(source, submitted, submission(terms, destination.eid))]),
    ...destinationLife(random, { terms, chain: destination, places, arrived, sourceEid }),
    ...(random.chance(0.05) ? [tombstone(source, places.after(submitted), terms)] : []),
  ]
}

/** A quote's id that was used before its submission, so that there is no order. */
export function randomKilledQuote(random: SeededRandom, chain: OrderChain): StationAct {
  const place = placesOf(random).at(random.integer(1, chain.lastBlock))
  return tombstone(chain, place, { uuid: random.hex(32) })
}

/** Station events that belong to no order. */
export function randomRouteApproval(random: SeededRandom, chain: OrderChain): StationAct {
  const route = { destEID: chain.eid, offerAsset: random.hex(20), wantAsset: random.hex(20) }
  return act(chain, placesOf(random).at(random.integer(1, chain.lastBlock)), [
    { eventName: 'RouteApprovalSet', args: { route, approved: random.chance(0.5) } },
  ])
}

function placesOf(random: SeededRandom): Places {
  return {
    at: (block) => ({ block, rank: random.fraction() }),
    after({ block, rank }) {
      if (random.chance(0.4)) return { block, rank: rank + (1 - rank) * random.fraction() }
      return { block: block + random.integer(1, 20), rank: random.fraction() }
    },
  }
}

/** Mostly soon after, sometimes at any block: the destination may be ahead of the source. */
function arrivalBlock(random: SeededRandom, submitted: number, last: number): number {
  if (random.chance(0.3)) return random.integer(1, last)
  return Math.min(Math.max(submitted + random.integer(-15, 25), 1), last)
}

type SameChain = { terms: Terms; chain: OrderChain; places: Places }

function sameChainLife(random: SeededRandom, { terms, chain, places }: SameChain): StationAct[] {
  const place = places.at(random.integer(1, chain.lastBlock))
  const order = queuedOrder(terms)
  const [, submitted] = submission(terms, chain.eid)
  return [
    act(chain, place, [
      { eventName: 'OrderReceived', args: { uuid: terms.uuid, order } },
      ...(submitted ? [submitted] : []),
    ]),
    ...lifeAfterArrival(random, { terms, chain, places, arrived: place }),
  ]
}

type DestinationLife = SameChain & { arrived: Place; sourceEid: number }

function destinationLife(random: SeededRandom, life: DestinationLife): StationAct[] {
  const { terms, chain, places, arrived, sourceEid: srcEID } = life
  const { uuid, guid } = terms
  if (random.chance(0.12)) return []
  if (random.chance(0.15)) {
    const again = random.chance(0.3) ? [tombstone(chain, places.after(arrived), terms)] : []
    return [tombstone(chain, arrived, terms), ...again]
  }
  const order = queuedOrder(terms)
  return [
    act(chain, arrived, [
      { eventName: 'OrderReceived', args: { uuid, order } },
      { eventName: 'OrderBridgeReceived', args: { uuid, srcEID, guid, order } },
    ]),
    ...lifeAfterArrival(random, life),
  ]
}

type Arrived = SameChain & { arrived: Place }

function lifeAfterArrival(random: SeededRandom, life: Arrived): StationAct[] {
  const { terms, chain, places } = life
  const { uuid } = terms
  const ending = random.pick(['open', 'filled', 'filled', 'removed'])
  const acts: StationAct[] = []
  let place = life.arrived
  let remaining = terms.amountDue
  const next = (sayings: StationSaying[]) => {
    place = places.after(place)
    acts.push(act(chain, place, sayings))
  }
  const fill = (amount: bigint) => {
    remaining -= amount
    next([{ eventName: 'OrderExecuted', args: { uuid, amount, remaining } }])
  }
  for (let parts = random.integer(0, 3); parts > 0; parts -= 1)
    if (remaining > 0n) fill(part(random, remaining))
  if (random.chance(0.1)) acts.push(tombstone(chain, places.after(life.arrived), terms))
  if (ending === 'filled') fill(remaining)
  if (ending === 'removed') {
    const order = { ...queuedOrder(terms), amountDue: remaining }
    next([{ eventName: 'OrderForceRemoved', args: { uuid, order } }])
  }
  if (random.chance(0.05)) acts.push(tombstone(chain, places.after(place), terms))
  return acts
}

/** Less than the rest, sometimes 0. */
function part(random: SeededRandom, remaining: bigint): bigint {
  if (random.chance(0.1)) return 0n
  return (remaining * BigInt(random.integer(1, 99))) / 100n
}

function randomTerms(
  random: SeededRandom,
  chains: { source: OrderChain; destination: OrderChain },
) {
  const digits = random.chance(0.05) ? random.integer(30, 55) : random.integer(3, 14)
  const offerAmount = 10n ** BigInt(digits) + BigInt(random.integer(0, 999_999))
  const protocolFee = random.chance(0.2) ? 0n : offerAmount / 1_000n
  const integratorFee = random.chance(0.5) ? 0n : offerAmount / 200n
  const normalized18 =
    (offerAmount - protocolFee - integratorFee) * 10n ** BigInt(18 - random.pick(DECIMALS))
  return {
    uuid: random.hex(32),
    guid: random.hex(32),
    sourceEid: chains.source.eid,
    offerAsset: random.hex(20),
    wantAsset: random.hex(20),
    receiver: random.hex(20),
    user: random.hex(20),
    offerAmount,
    protocolFee,
    integratorFee,
    integratorFeeReceiver: random.hex(20),
    distributorCode: random.chance(0.5) ? (`0x${'00'.repeat(32)}` as const) : random.hex(32),
    deadline: random.chance(0.05)
      ? maxUint256
      : BigInt(random.integer(1_700_000_000, 1_800_000_000)),
    salt: random.hex(32),
    normalized18,
    /** Truncated, as on arrival: 0 for what is less than one unit. */
    amountDue: normalized18 / 10n ** BigInt(18 - random.pick(DECIMALS)),
    queuedAt: BigInt(random.integer(1_700_000_000, 1_800_000_000)),
  }
}

function submission(terms: Terms, destEID: number): [StationSaying, StationSaying] {
  const { uuid, guid, user, sourceEid: sourceEID, distributorCode, ...quote } = terms
  const { offerAsset, wantAsset } = quote
  const route = { destEID, offerAsset, wantAsset }
  return [
    { eventName: 'OrderBridged', args: { uuid, destEID, guid, terms: orderTerms(terms) } },
    {
      eventName: 'OrderSubmitted',
      args: { uuid, sourceEID, quote: { ...quote, route, distributorCode }, user, distributorCode },
    },
  ]
}

function orderTerms({ uuid, wantAsset, receiver, offerAsset, normalized18 }: Terms) {
  const offerAmountNormalized18AfterFees = normalized18
  return { uuid, wantAsset, receiver, offerAsset, offerAmountNormalized18AfterFees }
}

function queuedOrder(terms: Terms) {
  return { terms: orderTerms(terms), amountDue: terms.amountDue, queuedAt: terms.queuedAt }
}

function tombstone(chain: OrderChain, place: Place, { uuid }: { uuid: Hex }): StationAct {
  return act(chain, place, [{ eventName: 'UUIDForceSetUsed', args: { uuid } }])
}

function act({ chainId }: OrderChain, place: Place, sayings: StationSaying[]): StationAct {
  return { chainId, ...place, sayings }
}
