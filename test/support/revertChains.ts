import type { Hex } from 'viem'
import { afterEach, beforeEach } from 'vitest'

/** A node that can be put back to where it was. */
type Rewindable = { snapshot(): Promise<Hex>; revert(mark: { id: Hex }): Promise<void> }

/** Each test of the file or `describe` that calls it leaves these chains as it found them. */
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
