import type { Sql } from 'postgres'
import { forgetOrphanedCache } from '../../db/cachedBlocks.ts'
import { parseHeader } from '../../domain/chain/judgeResult.ts'
import type { Upstream } from './upstream.ts'

/** Forgets what Ponder cached of blocks that the chain has replaced; all of it where no node answers. */
export async function forgetReplacedBlocks(sql: Sql, chainId: number, upstream: Upstream) {
  await forgetOrphanedCache(sql, chainId, async ({ number, hash }) => {
    const params = [`0x${number.toString(16)}`, false]
    const response = await upstream
      .request({ method: 'eth_getBlockByNumber', params })
      .catch(() => null)
    return response !== null && 'result' in response && parseHeader(response.result)?.hash === hash
  })
}
