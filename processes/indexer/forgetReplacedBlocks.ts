import type { Sql } from 'postgres'
import { forgetOrphanedCache } from '../../db/ponderCache.ts'
import type { ChainNodes } from '../../domain/chain/chainNodes.ts'
import { parseHeader } from '../../domain/chain/judgeResult.ts'

/** Deletes Ponder's cache of blocks that the chain replaced, or the chain's whole cache if no node answers. */
export async function forgetReplacedBlocks(sql: Sql, chainId: number, chainNodes: ChainNodes) {
  await forgetOrphanedCache(sql, chainId, async ({ number, hash }) => {
    const params = [`0x${number.toString(16)}`, false]
    const response = await chainNodes
      .request({ method: 'eth_getBlockByNumber', params })
      .catch(() => null)
    return response !== null && 'result' in response && parseHeader(response.result)?.hash === hash
  })
}
