import type { Hex } from 'viem'
import { afterEach, beforeEach } from 'vitest'

/** A node that can be reset to an earlier state. */
type Rewindable = { snapshot(): Promise<Hex>; revert(mark: { id: Hex }): Promise<void> }

/** Resets these chains after each test of the file or `describe` that calls it. */
export function revertChains(clients: () => readonly Rewindable[]): void {
  let marks: { client: Rewindable; id: Hex }[] = []
  beforeEach(async () => {
    marks = await Promise.all(
      clients().map(async (client) => ({ client, id: await client.snapshot() })),
    )
  })
  afterEach(async () => {
    await Promise.all(marks.splice(0).map(({ client, id }) => client.revert({ id })))
  })
}
