import { expect, test } from 'vitest'
import { z } from 'zod'
import { rootField } from '../../schema/rootField.ts'
import { textType } from './parameterTypes.ts'

const argument = rootField('transitOrderQuote').field.args.find(
  ({ name }) => name === 'permitDeadline',
)
if (!argument) throw new Error('a quote takes a deadline')
const deadline = textType(argument)

test('default: a Unix time of a query is a number, as the specification types it', () => {
  expect(deadline.parse('1700000000')).toBe(1_700_000_000)
  expect(z.toJSONSchema(deadline, { io: 'input' })).toMatchObject({
    type: 'integer',
    minimum: 0,
    maximum: 99_999_999_999,
  })
})

test.each(['', '-1', '1e9', '1.5', 'soon', '99999999999999999'])(
  'error: %s is no Unix time',
  (text) => {
    expect(deadline.safeParse(text).success).toBe(false)
  },
)

test.each([
  ['vaultTvls', 'orderByTimestamp', 'expected asc or desc'],
  ['events', 'from', 'expected now'],
])('error: %s %s names its values', (field, name, message) => {
  const argument = rootField(field).field.args.find((one) => one.name === name)
  const { error } = (argument ? textType(argument) : z.never()).safeParse('NOW')
  expect(error?.issues[0]?.message).toBe(message)
})

test.each([
  ['1700000000000', true],
  ['100000000000', true],
  ['99999999999', false],
])('error: %s is in milliseconds: %s', (text, isRefused) => {
  const { error } = deadline.safeParse(text)
  expect(error?.issues[0]?.message.includes('milliseconds') ?? false).toBe(isRefused)
})
