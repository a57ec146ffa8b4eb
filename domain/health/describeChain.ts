import type { ChainBuild, ChainBuilds } from '../index/chainBuilds.ts'
import type { ChainState } from '../index/chainStates.ts'

/** State and builds of one chain's index; undefined where nothing is known. */
export type ChainParts = {
  state: ChainState | undefined
  builds: ChainBuilds | undefined
}

/** The report on one chain's index for an operator. `message` is present only if something is wrong. */
export function describeChain({
  state,
  builds,
  maxLagSeconds,
}: ChainParts & { maxLagSeconds: number }) {
  const message = messageOf(state, builds)
  const named = {
    ...(message ? { message } : {}),
    ...(builds?.served ? { build: builds.served.name } : {}),
    ...(builds?.next ? { nextBuild: describeBuild(builds.next) } : {}),
  }
  if (!state?.block) return { isLevel: false, ...named }
  const { block, head, lagSeconds, missingSeconds, isSynced, isReady } = state
  const isWithheld = !isReady && builds?.rebuildReason != null
  return {
    isLevel: !isWithheld && missingSeconds !== null && missingSeconds <= maxLagSeconds,
    isSynced,
    block: Number(block.number),
    head: head === null ? null : Number(head),
    lagSeconds,
    ...named,
  }
}

/**
 * The page needs no key, so it does not show the errors of the indexer themselves: the table of builds has them. What is refused is
 * about the nodes' answers alone, without a URL.
 */
function messageOf(state: ChainState | undefined, builds: ChainBuilds | undefined): string | null {
  if (builds?.rebuildReason) return `is indexed anew: ${builds.rebuildReason}`
  const refusal = builds?.served?.refusal ?? builds?.next?.refusal
  if (refusal) return `its blocks cannot be read: ${refusal}`
  if (builds?.served?.error) return 'its indexer was ended; `admin index list` shows why'
  if (builds?.next?.error) return 'its next build does not come up; `admin index list` shows why'
  return state?.block ? null : 'not indexed yet'
}

function describeBuild({ name, state, since }: ChainBuild) {
  return { name, state, since: since.toISOString() }
}
