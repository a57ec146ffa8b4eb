import type { Keeper } from './keeper.ts'

/** Writes the account of this keeper, and why it sends nothing now, for operators who ask the api. */
export async function recordKeeper({ chain, account, lease, memory }: Keeper): Promise<void> {
  await lease.write(async (sql) => {
    await sql`
      update app.keeper_chain
      set account = ${account?.address.toLowerCase() ?? null}, hold = ${memory.hold}
      where chain_id = ${chain.id}`
  })
  memory.isRecorded = true
}
