import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { withoutNullFields } from './withoutNullFields.ts'

const names = ['amount', 'remaining']

describe('withoutNullFields', () => {
  test('default', () => {
    const json = '{"step":"BRIDGED","amount":null,"remaining":null,"finalized":true,"guid":null}'
    expect(withoutNullFields(names)(json)).toBe('{"step":"BRIDGED","finalized":true,"guid":null}')
    expect(withoutNullFields([])(json)).toBe(json)
  })

  test('behavior: what a replacer does, wherever the fields stand and whatever texts contain', () => {
    const key = fc.constantFrom(...names, 'id', '"amount', 'amount"')
    const text = fc.constantFrom(
      '',
      '"amount":null,',
      ',"remaining":null}',
      '{"amount":null}',
      '\\',
    )
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'medium' },
        fc.constantFrom(null, 1, true),
        text,
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(key, tie('value'), { maxKeys: 4 }),
      ),
    }))
    fc.assert(
      fc.property(value, (drawn) => {
        const replaced = JSON.stringify(drawn, (name, inner) =>
          inner === null && names.includes(name) ? undefined : inner,
        )
        expect(withoutNullFields(names)(JSON.stringify(drawn))).toBe(replaced)
      }),
    )
  })
})
