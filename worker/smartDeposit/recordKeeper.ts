import type { Keeper } from './keeper.ts'

/** Writes the accounts of this keeper, and why it sends nothing now, for operators who ask the api. */
export async function recordKeeper({ chain, accounts, lease, memory }: Keeper): Promise<void> {
  await lease.write(async (sql) => {
    await sql`
      update app.keeper_chain
      set accounts = ${accounts.map(({ address }) => address.toLowerCase())}::text[], hold = ${memory.hold}
      where chain_id = ${chain.id}`
  })
  memory.isRecorded = true
}
