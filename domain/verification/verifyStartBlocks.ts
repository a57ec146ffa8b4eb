import { type Address, getAbiItem, type PublicClient } from 'viem'
import { vaultAbi } from '../../abis/vault.ts'
import { unlessUnavailable } from '../error/unlessUnavailable.ts'
import { findStartBlock } from './describe/findStartBlock.ts'
import { contradiction, type Finding, note, unverified } from './finding.ts'
import { ask, hasCode, type VerificationContext } from './verificationContext.ts'
import { type NamedBlock, namedBlocks } from './verifyBlocks.ts'

type Start = NamedBlock & { created: Address }

/** The constructors of all these contracts emit it, except the simplest fee module's. */
const CREATION_LOG = getAbiItem({ abi: vaultAbi, name: 'OwnershipTransferred' })

/**
 * Proves of each contract that it was created in its start block: it has code there and none one block
 * before, or its constructor's log is in that block. Block 0 means the whole chain and needs no proof.
 */
export async function verifyStartBlocks(context: VerificationContext): Promise<Finding[]> {
  const starts = namedBlocks(context.book).filter(
    (named): named is Start => named.created !== null && named.block > 0,
  )
  const ofChains = await Promise.all(
    [...Map.groupBy(starts, ({ chainId }) => chainId)].map(([chainId, here]) =>
      ask(context, {
        chainId,
        place: here[0]?.place ?? '',
        run: () => verifyChain(context, chainId, here),
      }),
    ),
  )
  return ofChains.flat()
}

async function verifyChain(
  context: VerificationContext,
  chainId: number,
  starts: Start[],
): Promise<Finding[]> {
  const head = await context.chains.head(chainId)
  const found = await Promise.all(starts.map((start) => verifyStart(context, start, head)))
  const unknown = starts.filter((_, index) => found[index] === 'unknown')
  const place = `chains.${context.book.chains.findIndex(({ id }) => id === chainId)}`
  const remark = `the nodes of chain ${chainId} have no state of old blocks, so these start blocks cannot be determined: ${unknown.map((start) => start.place).join(', ')}`
  return [
    ...found.filter((finding) => typeof finding === 'object' && finding !== null),
    ...(unknown.length > 0 ? [note(place, remark)] : []),
  ]
}

async function verifyStart(
  { chains }: VerificationContext,
  { chainId, created: address, block, place }: Start,
  head: bigint,
): Promise<Finding | 'unknown' | null> {
  const start = BigInt(block)
  // Other checks report a block that does not exist yet.
  if (start > head) return null
  const read = <Value>(of: (client: PublicClient) => Promise<Value>) =>
    chains.read(chainId, of).catch(whyUnread)
  const hasCodeNow = await read((client) => hasCode(client, address))
  // Other checks report a contract without code.
  if (hasCodeNow === false) return null
  const codes = await read((client) =>
    Promise.all([start, start - 1n].map((at) => hasCode(client, address, at))),
  )
  const [isThere, wasThere] = Array.isArray(codes) ? codes : []
  if (isThere && !wasThere) return null
  // Some nodes answer from their newest state whatever block is asked for.
  const isOfNow = wasThere && (await read((client) => hasCode(client, address, 0n))) === true
  if (!Array.isArray(codes) || isOfNow) {
    const logs = await read((client) =>
      client.getLogs({ address, event: CREATION_LOG, fromBlock: start, toBlock: start }),
    )
    if (Array.isArray(logs) && logs.length > 0) return null
    if (![hasCodeNow, codes, logs].includes('no answer')) return 'unknown'
    return unverified(
      place,
      `not verified: chain ${chainId} could not be asked whether ${address} was created in block ${block}`,
    )
  }
  const createdIn = await findStartBlock(chains, { chainId, address, head })
  const is = createdIn === null ? (wasThere ? 'before it' : 'after it') : `in block ${createdIn}`
  return contradiction(
    place,
    `the book has ${block}, ${address} on chain ${chainId} was created ${is}`,
  )
}

/** How nodes say that they do not keep what is that old. */
const TOO_OLD =
  /missing trie node|historical|pruned|archive|no state available|state (is )?(not |un)available/i

/** Whether the nodes refuse what is that old, which lasts, or give no answer, as under load. Throws all other errors. */
function whyUnread(error: unknown): 'too old' | 'no answer' {
  unlessUnavailable(error)
  const messages: string[] = []
  for (let part = error; part instanceof Error; part = part.cause) messages.push(part.message)
  return TOO_OLD.test(messages.join()) ? 'too old' : 'no answer'
}
