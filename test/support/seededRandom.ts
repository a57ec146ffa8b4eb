import type { Hex } from 'viem'

/** Random choices that repeat with the same seed. */
export type SeededRandom = {
  /** From 0 up to, not including, 1. */
  fraction(): number
  /** Both ends included. */
  integer(from: number, to: number): number
  chance(probability: number): boolean
  pick<Item>(items: readonly [Item, ...Item[]]): Item
  hex(bytes: number): Hex
}

/** Mulberry32: 32 bits of state, enough to scatter test data. */
export function seededRandom(seed: number): SeededRandom {
  let state = seed >>> 0
  function fraction() {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const integer = (from: number, to: number) => from + Math.floor(fraction() * (to - from + 1))
  return {
    fraction,
    integer,
    chance: (probability) => fraction() < probability,
    pick: (items) => items[integer(0, items.length - 1)] ?? items[0],
    hex: (bytes) =>
      `0x${Array.from({ length: bytes }, () => integer(0, 255).toString(16).padStart(2, '0')).join('')}`,
  }
}
