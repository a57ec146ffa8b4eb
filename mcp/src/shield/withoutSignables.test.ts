import { maxUint256 } from 'viem'
import { expect, test } from 'vitest'
import { withoutSignables } from './withoutSignables.ts'

const hash = `0x${'ab'.repeat(32)}`
const to = `0x${'cd'.repeat(20)}`
const words = 'a9059cbb'.padEnd(136, '0')
const LEFT_OUT = 'left out, because it was not checked'

test('default: hashes, accounts, amounts and texts stay', () => {
  const answer = {
    hash,
    bare: hash.slice(2),
    most: String(maxUint256),
    list: [{ to, amount: '5' }, null, 7, true],
    text: `order ${hash} of ${to}, ${'ab'.repeat(32)}`,
  }
  expect(withoutSignables(answer)).toEqual(answer)
})

test.each([
  ['calldata', `send 0x${words} now`, `send (68 bytes, ${LEFT_OUT}) now`],
  ['calldata without 0x', `send ${words} now`, `send (68 bytes, ${LEFT_OUT}) now`],
  ['a signature', `0X${'AB'.repeat(65)}`, `(65 bytes, ${LEFT_OUT})`],
])('error: %s in a text, and in the name of a field', (_, text, without) => {
  expect(withoutSignables({ text, [text]: 1 })).toEqual({ text: without, [without]: 1 })
})

test.each([
  { to, data: '0x' },
  { to, value: '1' },
  { to, input: '0xd0e30db0' },
  { domain: {}, message: {} },
  { primaryType: 'Permit' },
])('error: what a wallet could be asked to sign: %j', (part) => {
  expect(withoutSignables({ deep: [{ part }] })).toEqual({ deep: [{ part: LEFT_OUT }] })
})
