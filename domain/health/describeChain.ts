import type { ChainBuild, ChainBuilds } from '../chain/chainBuilds.ts'
import type { ChainState } from '../chain/chainStates.ts'

type ChainParts = {
  state: ChainState | undefined
  builds: ChainBuilds | undefined
  maxLagSeconds: number
}

/** What an operator is told of one chain's index; `message` only where something is to be told. */
export function describeChain({ state, builds, maxLagSeconds }: ChainParts) {
  const message = messageOf(state, builds)
  const named = {
    ...(message ? { message } : {}),
    ...(builds?.served ? { build: builds.served.name } : {}),
    ...(builds?.next ? { nextBuild: describeBuild(builds.next) } : {}),
  }
  if (!state?.block) return { isLevel: false, ...named }
  const { block, head, lagSeconds, isSynced, isReady } = state
  const isWithheld = !isReady && builds?.rebuildReason != null
  // Where no node says how far the chain is, all since the indexed block may be lacking.
  const missingSeconds = lagSeconds ?? Date.now() / 1_000 - block.timestamp
  return {
    isLevel: !isWithheld && missingSeconds <= maxLagSeconds,
    isSynced,
    block: Number(block.number),
    head: head === null ? null : Number(head),
    lagSeconds,
    ...named,
  }
}

/** Errors themselves are not for a page that asks for no key: the builds' table has them. */
function messageOf(state: ChainState | undefined, builds: ChainBuilds | undefined): string | null {
  if (builds?.rebuildReason) return `is indexed anew: ${builds.rebuildReason}`
  if (builds?.served?.error) return 'its indexer was ended; `admin index list` says why'
  if (builds?.next?.error) return 'its next build does not come up; `admin index list` says why'
  return state?.block ? null : 'not indexed yet'
}

function describeBuild({ name, state, since }: ChainBuild) {
  return { name, state, since: since.toISOString() }
}
