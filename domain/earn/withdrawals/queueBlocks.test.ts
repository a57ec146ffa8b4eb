import { expect, test } from 'vitest'
import { firstUnpayable, type QueueBlock } from './queueBlocks.ts'

function block(reason: QueueBlock['reason'], orderIndex: bigint): QueueBlock {
  return { chainId: 1, queue: '0x1', asset: '0x2', reason, orderIndex }
}

test('default: the first in the queue, whatever its reason', () => {
  const blocks = [block('NO_RATE', 7n), block('PAYS_NOTHING', 3n), block('VAULT_LACKS_ASSETS', 1n)]
  expect(firstUnpayable(blocks)).toEqual(block('PAYS_NOTHING', 3n))
})

test('behavior: a lack of assets ends when the vault gets more', () => {
  expect(firstUnpayable([block('VAULT_LACKS_ASSETS', 1n)])).toBeUndefined()
})
