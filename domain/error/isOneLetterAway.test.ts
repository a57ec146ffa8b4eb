import { expect, test } from 'vitest'
import { isOneLetterAway } from './isOneLetterAway.ts'

test.each([
  ['nothing', 'receiver', 'receiver', true],
  ['a letter too many', 'receiverr', 'receiver', true],
  ['a letter too many at the start', 'xreceiver', 'receiver', true],
  ['a letter too few', 'reciver', 'receiver', true],
  ['another letter', 'receivor', 'receiver', true],
  ['neighbours that changed places', 'reciever', 'receiver', true],
  ['the only letter', 'a', 'b', true],
  ['two letters too many', 'receivers1', 'receiver', false],
  ['two other letters', 'xeceivex', 'receiver', false],
  ['letters that changed places over another', 'vlaue', 'value', true],
  ['letters that changed places over a third', 'lavue', 'value', false],
  ['one letter too many and one too few', 'receivre1', 'receiver', false],
  ['another word', 'sender', 'receiver', false],
])('default: %s', (_, one, other, expected) => {
  expect(isOneLetterAway(one, other)).toBe(expected)
  expect(isOneLetterAway(other, one)).toBe(expected)
})
