import { bytesToHex, type Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import { bloomOf, explainsBloom } from './logsBloom.ts'

const LOG = {
  address: '0x5fbdb2315678afecb367f032d93f642f64180aa3',
  topics: ['0x3ac225168df54212a25c1c01fd35bebfea408fdac2e31ddd6f80a4bbf9a5f1cb'],
} as const
/** The bytes that are not zero, by their place, of the filter that anvil gave a block with this log. */
const BYTES_OF_ANVIL: Record<number, number> = {
  99: 0x40,
  126: 0x10,
  155: 0x02,
  195: 0x40,
  228: 0x20,
  239: 0x04,
}
const OTHER = { ...LOG, topics: [`0x${'1'.repeat(64)}` as Hex] }

describe('logsBloom', () => {
  test('default', () => {
    const set = [...bloomOf([LOG])].flatMap((byte, place) => (byte ? [[place, byte]] : []))
    expect(Object.fromEntries(set)).toEqual(BYTES_OF_ANVIL)
  })

  test('behavior: logs explain a filter if they set all of its bits', () => {
    const both = bytesToHex(bloomOf([LOG, OTHER]))
    expect(explainsBloom(both, [LOG, OTHER])).toBe(true)
    expect(explainsBloom(both, [LOG])).toBe(false)
    expect(explainsBloom(bytesToHex(bloomOf([LOG])), [LOG, OTHER])).toBe(true)
  })
})
