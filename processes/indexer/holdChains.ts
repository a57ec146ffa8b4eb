import type { Sql } from 'postgres'
import { type Build, noteBeginning } from '../../db/indexBuilds.ts'
import { readBeginning } from '../../db/ponderTables.ts'
import { type BlockHeader, parseHeader } from '../../domain/chain/judgeResult.ts'
import { createPonderStart, finalityBlocks, headerOf } from './ponderStart.ts'
import type { RelayLine } from './relay.ts'

type Held = { sql: Sql; build: Build; lines: Map<number, RelayLine> }

/** A chain that is at most so many times its final depth behind is read block by block at a start: a few steps of Ponder. */
const NEAR_DEPTHS = 4

/**
 * Prepares what the relay answers to the next start of Ponder. A chain is held if its blocks could not be read, so that the others
 * go on, or if it is near its head: a filter shows whether a block's logs are all there, but not those of a range.
 */
export async function prepareStart(held: Held) {
  // At once: each dead node among twelve would take its time, one after the other.
  const prepare = async ([chainId, line]: [number, RelayLine]) => {
    const depth = await finalityBlocks(chainId)
    const header = await readHeldHeader(held, chainId)
    const tip = Number(line.follower.tip()?.number)
    const missing = tip - Number(header?.number)
    const isNear = missing >= depth && missing <= NEAR_DEPTHS * depth
    const isHeld = isNear || line.pace.refusal() !== null
    if (header) {
      const number = BigInt(header.number)
      const { postgresSchema } = held.build
      await noteBeginning(held.sql, { postgresSchema, chainId, number, hash: header.hash })
    }
    line.start = createPonderStart(chainId, isHeld ? header : null, depth)
  }
  await Promise.all([...held.lines].map(prepare))
}

/** The block at which a chain can be held, or null. The index knows the hash of most, and the nodes of the others. */
export async function readHeldHeader(
  { sql, build, lines }: Held,
  chainId: number,
): Promise<BlockHeader | null> {
  const block = await readBeginning(sql, build.postgresSchema, chainId)
  if (!block) return null
  const { number, hash, timestamp } = block
  if (hash !== null) return headerOf({ number, hash, timestamp })
  const params = [`0x${number.toString(16)}`, false]
  const response = await lines
    .get(chainId)
    ?.chainNodes.request({ method: 'eth_getBlockByNumber', params })
    .catch(() => null)
  return response && 'result' in response ? parseHeader(response.result) : null
}
