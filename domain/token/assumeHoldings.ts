import {
  type Address,
  encodeAbiParameters,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  keccak256,
  type PublicClient,
  type StateOverride,
  toHex,
} from 'viem'
import { unlessRefused } from '../chain/revert.ts'

export type Holdings = { token: Address; owner: Address; amount: bigint; spender?: Address }

/** A value to assume in a token's mapping at `slot`. */
type Held = { data: Hex; placeOf: (slot: bigint) => Hex }

/** Mappings are at one of the first slots or, in upgradeable tokens of OpenZeppelin 5, at these. */
const OPEN_ZEPPELIN = 0x52c63247e1f47db19d5ce0460030c497f067ca4cebf71ba98eeadabe20bace00n
const FIRST_SLOTS = Array.from({ length: 64 }, (_, slot) => BigInt(slot))
const SLOTS = [...FIRST_SLOTS, OPEN_ZEPPELIN, OPEN_ZEPPELIN + 1n]
/** Identifies the slots: each gets this number plus its place in the list. */
const MARK = 10n ** 30n

/**
 * State overrides for a token so that `owner` has `amount` of it and, with `spender`, has approved as
 * much. Values that are high enough already are not changed. Null if the token's balances are in none of
 * the usual slots.
 */
export async function assumeHoldings(
  client: PublicClient,
  { token, owner, spender, amount }: Holdings,
): Promise<StateOverride | null> {
  const balance: Held = {
    data: encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [owner] }),
    placeOf: (slot) => placeIn(toHex(slot, { size: 32 }), owner),
  }
  const allowanceOf = (of: Address): Held => ({
    data: encodeFunctionData({ abi: erc20Abi, functionName: 'allowance', args: [owner, of] }),
    placeOf: (slot) => placeIn(balance.placeOf(slot), of),
  })
  const wanted = spender ? [balance, allowanceOf(spender)] : [balance]
  const assumed = await Promise.all(wanted.map((held) => assume(client, token, held, amount)))
  const stateDiff = assumed.flatMap((one) => one ?? [])
  if (assumed.includes(null)) return null
  return stateDiff.length === 0 ? [] : [{ address: token, stateDiff }]
}

type SlotValue = { slot: Hex; value: Hex }

/** Empty if the value is high enough already. */
async function assume(
  client: PublicClient,
  token: Address,
  held: Held,
  amount: bigint,
): Promise<SlotValue[] | null> {
  const present = await readHeld(client, token, held)
  if (present !== null && present >= amount) return []
  const slot = await findSlot(client, token, held)
  if (slot === null || present === null) return null
  // Some tokens keep more in the same slot, such as whether the account is blacklisted: those bits stay.
  const stored = BigInt((await client.getStorageAt({ address: token, slot })) ?? 0)
  return [{ slot, value: toHex(stored - present + amount, { size: 32 }) }]
}

/** Gives every possible place its own number in one call; the answer shows which place it is. */
async function findSlot(client: PublicClient, token: Address, held: Held): Promise<Hex | null> {
  const places = SLOTS.map(held.placeOf)
  const stateDiff = places.map((slot, index) => ({
    slot,
    value: toHex(MARK + BigInt(index), { size: 32 }),
  }))
  const answer = await readHeld(client, token, held, [{ address: token, stateDiff }])
  return (answer !== null && places[Number(answer - MARK)]) || null
}

async function readHeld(
  client: PublicClient,
  token: Address,
  { data }: Held,
  stateOverride?: StateOverride,
): Promise<bigint | null> {
  const answer = await unlessRefused(
    client.call({ to: token, data, ...(stateOverride ? { stateOverride } : {}) }),
  )
  return answer?.data ? BigInt(answer.data) : null
}

/** The slot of a mapping's value in Solidity; `at` is the slot of the mapping. */
function placeIn(at: Hex, key: Address): Hex {
  return keccak256(encodeAbiParameters([{ type: 'address' }, { type: 'bytes32' }], [key, at]))
}
