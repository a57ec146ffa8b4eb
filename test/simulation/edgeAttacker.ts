import { type EdgeTarget, runEdgeAttack } from './edgeAttacks.ts'

/** Runs one attack as its own process, so that it takes no time of the honest client: see attackApi.ts. */
process.on('message', async ({ name, target }: { name: string; target: EdgeTarget }) => {
  process.send?.(await runEdgeAttack(name, target))
})
