import { isDatabaseDown } from '../../db/isDatabaseDown.ts'
import { LeaseLostError } from './chainLeases.ts'
import type { Keeper } from './keeper.ts'

/** Some of several things failed, and all others were done. */
export class PartlyFailedError extends Error {
  override name = 'PartlyFailedError'
  /** The names of those that failed. */
  readonly failed: string[]

  constructor(failed: string[], cause: unknown) {
    super(`failed: ${failed.join(', ')}`, { cause })
    this.failed = failed
  }
}

/** What is done one after the other, each with the name that the log shows. */
export type Apart<Item> = {
  items: Iterable<Item>
  nameOf: (item: Item) => string
  run: (item: Item) => Promise<unknown>
}

/**
 * Runs for each item, whatever fails for the others. Throws `PartlyFailedError` afterwards. A lost lease or database ends
 * it at once: then nothing can be written for any of them.
 */
export async function runApart<Item>(
  { chain, logger }: Pick<Keeper, 'chain' | 'logger'>,
  { items, nameOf, run }: Apart<Item>,
): Promise<void> {
  const failures: { name: string; error: unknown }[] = []
  for (const item of items)
    try {
      await run(item)
    } catch (error) {
      if (error instanceof LeaseLostError || isDatabaseDown(error)) throw error
      const name = nameOf(item)
      failures.push({ name, error })
      // Its parts are in the log already.
      if (!(error instanceof PartlyFailedError))
        logger.warn(
          { chainId: chain.id, failed: name, err: error },
          'a part of a pass of the keeper failed and is repeated',
        )
    }
  const [first] = failures
  if (!first) return
  throw new PartlyFailedError(
    failures.map(({ name }) => name),
    first.error,
  )
}
