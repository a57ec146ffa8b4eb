import { isDeepStrictEqual } from 'node:util'

/**
 * Returns what was last made of these rows, the same object, while `inputs` are equal; else makes it again. It is dropped with the
 * rows, so their cache is the bound.
 */
export function memoizeByRows<Rows extends object, Inputs, Made>() {
  const made = new WeakMap<Rows, { inputs: Inputs; value: Made }>()
  return (rows: Rows, inputs: Inputs, make: () => Made): Made => {
    const known = made.get(rows)
    if (known && isDeepStrictEqual(known.inputs, inputs)) return known.value
    const value = make()
    made.set(rows, { inputs, value })
    return value
  }
}
