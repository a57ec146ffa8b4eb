import { describe, expect, test } from 'vitest'
import { readErrorAnswer } from './readErrorAnswer.ts'

const info = { '@type': 'ErrorInfo', reason: 'ORDER_NOT_FOUND', metadata: { orderId: '0x00' } }
const violation = { field: 'orderId', description: 'is too short' }

function answer(body: unknown) {
  return readErrorAnswer(new Response(JSON.stringify(body), { status: 404 }))
}

describe('readErrorAnswer', () => {
  test('default', async () => {
    const details = [{ '@type': 'BadRequest', fieldViolations: [violation] }, info]
    expect(await answer({ error: { code: 404, message: 'no order', details } })).toMatchObject({
      reason: 'ORDER_NOT_FOUND',
      metadata: { orderId: '0x00' },
      message: 'no order',
      status: 404,
      violations: [violation],
    })
  })

  test.each([
    ['no body', new Response(null, { status: 404 })],
    ['a text', new Response('<h1>Not found</h1>', { status: 404 })],
    ['null', Response.json(null)],
    ['an error that is a text', Response.json({ error: 'Unauthorized' })],
    ['an error that is null', Response.json({ error: null })],
    ['no details', Response.json({ error: { code: 404, message: 'no' } })],
    ['details that are no list', Response.json({ error: { details: 'none' } })],
    ['details that are null', Response.json({ error: { details: [null, 1] } })],
    ['a reason that is no text', Response.json({ error: { details: [{ ...info, reason: 1 }] } })],
    ['no metadata', Response.json({ error: { details: [{ reason: info.reason }] } })],
  ])('error: %s is UNREADABLE_ANSWER', async (_, response) => {
    expect((await readErrorAnswer(response)).reason).toBe('UNREADABLE_ANSWER')
  })

  test('behavior: parts that are not of the API are left out', async () => {
    const details = [
      null,
      info,
      { fieldViolations: 'none' },
      { fieldViolations: [null, violation] },
    ]
    const error = await answer({ error: { message: 5, details } })
    expect(error.violations).toEqual([violation])
    expect(error.message).toBe('ORDER_NOT_FOUND')
  })
})
