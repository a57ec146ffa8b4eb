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

/** What is done, each with the name that the log shows. */
export type Apart<Item> = {
  items: Iterable<Item>
  nameOf: (item: Item) => string
  run: (item: Item) => Promise<unknown>
}

/**
 * Runs for each item, one after the other, whatever fails for the others. Throws `PartlyFailedError` afterwards. A lost lease or
 * database ends it at once: then nothing can be written for any of them.
 */
export async function runApart<Item>(
  keeper: Pick<Keeper, 'chain' | 'logger'>,
  { items, nameOf, run }: Apart<Item>,
): Promise<void> {
  const failures: Failure[] = []
  for (const item of items)
    try {
      await run(item)
    } catch (error) {
      failures.push(noted(keeper, nameOf(item), error))
    }
  throwFailures(failures)
}

/** Like `runApart`, for all items at once. It ends when all have ended. */
export async function runTogether<Item>(
  keeper: Pick<Keeper, 'chain' | 'logger'>,
  { items, nameOf, run }: Apart<Item>,
): Promise<void> {
  const all = [...items]
  const outcomes = await Promise.allSettled(all.map(run))
  const failures = all.flatMap((item, index): Failure[] => {
    const outcome = outcomes[index]
    return outcome?.status === 'rejected' ? [noted(keeper, nameOf(item), outcome.reason)] : []
  })
  throwFailures(failures)
}

type Failure = { name: string; error: unknown }

/** Logs what has failed. Throws it if nothing can be written any more. */
function noted(
  { chain, logger }: Pick<Keeper, 'chain' | 'logger'>,
  name: string,
  error: unknown,
): Failure {
  if (error instanceof LeaseLostError || isDatabaseDown(error)) throw error
  // Its parts are in the log already.
  if (!(error instanceof PartlyFailedError))
    logger.warn(
      { chainId: chain.id, failed: name, err: error },
      'a part of a pass of the keeper failed and is repeated',
    )
  return { name, error }
}

function throwFailures(failures: readonly Failure[]): void {
  const [first] = failures
  if (!first) return
  throw new PartlyFailedError(
    failures.map(({ name }) => name),
    first.error,
  )
}
