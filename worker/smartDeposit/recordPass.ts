import type { Keeper } from './keeper.ts'

/** Between two writes of the same result. */
const RECORD_MS = 2_000

/** Writes the end of a pass, and which of its steps failed: the lag of the keeper counts from the last one without any. */
export async function recordPass(
  { chain, lease, memory }: Keeper,
  failing: string[],
): Promise<void> {
  const last = memory.passed
  const isSame = last !== null && last.failing.join() === failing.join()
  if (isSame && Date.now() - last.at < RECORD_MS) return
  await lease.write(
    (sql) => sql`
      update app.keeper_chain set failing = ${failing}::text[],
        passed_at = case when ${failing.length === 0} then now() else passed_at end
      where chain_id = ${chain.id}`,
  )
  memory.passed = { at: Date.now(), failing }
}
