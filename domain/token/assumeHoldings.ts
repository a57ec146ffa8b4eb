import {
  type Address,
  encodeAbiParameters,
  erc20Abi,
  type Hex,
  keccak256,
  type PublicClient,
  type StateOverride,
  toHex,
} from 'viem'

export type Holdings = { token: Address; owner: Address; amount: bigint; spender?: Address }

/** Mappings are at one of the first slots, or, in upgradeable tokens of OpenZeppelin 5, at these. */
const OPEN_ZEPPELIN = 0x52c63247e1f47db19d5ce0460030c497f067ca4cebf71ba98eeadabe20bace00n
const SLOTS = [
  ...Array.from({ length: 64 }, (_, slot) => BigInt(slot)),
  OPEN_ZEPPELIN,
  OPEN_ZEPPELIN + 1n,
]
/** Tells the slots apart: each is given this and its place in the list. */
const MARK = 10n ** 30n

/**
 * What to pretend about a token so that `owner` has `amount` of it and, with `spender`, has approved as
 * much; nothing of what is so already. Null when the token keeps its balances where nobody would look.
 */
export async function assumeHoldings(
  client: PublicClient,
  { token, owner, spender, amount }: Holdings,
): Promise<StateOverride | null> {
  const balance = { functionName: 'balanceOf', args: [owner] } as const
  const allowance = spender && ({ functionName: 'allowance', args: [owner, spender] } as const)
  const contract = { address: token, abi: erc20Abi } as const
  const [held, allowed] = await Promise.all([
    client.readContract({ ...contract, ...balance }),
    allowance ? client.readContract({ ...contract, ...allowance }) : amount,
  ])
  const lacking = [
    ...(held < amount
      ? [findSlot(client, token, (slots) => slots.map((slot) => slotOf(slot, owner)), balance)]
      : []),
    ...(allowance && allowed < amount
      ? [
          findSlot(
            client,
            token,
            (slots) => slots.map((slot) => slotOf(BigInt(slotOf(slot, owner)), allowance.args[1])),
            allowance,
          ),
        ]
      : []),
  ]
  const slots = await Promise.all(lacking)
  const found = slots.filter((slot) => slot !== null)
  if (found.length < slots.length) return null
  if (found.length === 0) return []
  const value = toHex(amount, { size: 32 })
  return [{ address: token, stateDiff: found.map((slot) => ({ slot, value })) }]
}

/** All places it could be at get a number of their own in one call; the answer tells which it is. */
async function findSlot(
  client: PublicClient,
  token: Address,
  placesOf: (slots: bigint[]) => Hex[],
  read:
    | { functionName: 'balanceOf'; args: readonly [Address] }
    | { functionName: 'allowance'; args: readonly [Address, Address] },
): Promise<Hex | null> {
  const places = placesOf(SLOTS)
  const answer = await client.readContract({
    address: token,
    abi: erc20Abi,
    ...read,
    stateOverride: [
      {
        address: token,
        stateDiff: places.map((slot, index) => ({
          slot,
          value: toHex(MARK + BigInt(index), { size: 32 }),
        })),
      },
    ],
  } as Parameters<typeof client.readContract>[0])
  return places[Number((answer as bigint) - MARK)] ?? null
}

/** Where Solidity keeps a mapping's value. */
function slotOf(slot: bigint, key: Address): Hex {
  return keccak256(encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [key, slot]))
}
