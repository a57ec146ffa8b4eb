import { buildSchema, parse } from 'graphql'
import { describe, expect, test } from 'vitest'
import { selectionSchemas } from './selectionSchemas.ts'

const schema = buildSchema(`
  enum Colour { RED BLUE }
  type Wheel { "Across." size: Int! colour: Colour }
  type Car { wheels: [Wheel!]! name: String spare: Wheel }
  type Query { car: Car }
`)

describe('selectionSchemas', () => {
  test('default', () => {
    const { body, components } = selectionSchemas(
      schema,
      parse(`
        { vehicle: car { label: name spare { ...Wheel } wheels { ...Wheel } } }
        fragment Wheel on Wheel { size colour }
      `),
    )
    expect(body).toEqual({
      type: 'object',
      required: ['vehicle'],
      properties: { vehicle: { $ref: '#/components/schemas/Car' } },
    })
    expect(components).toEqual({
      Car: {
        type: 'object',
        required: ['label', 'spare', 'wheels'],
        properties: {
          label: { type: ['string', 'null'] },
          spare: { anyOf: [{ $ref: '#/components/schemas/Wheel' }, { type: 'null' }] },
          wheels: { type: 'array', items: { $ref: '#/components/schemas/Wheel' } },
        },
      },
      Wheel: {
        type: 'object',
        required: ['size', 'colour'],
        properties: {
          size: { type: 'integer', description: 'Across.' },
          colour: { anyOf: [{ $ref: '#/components/schemas/Colour' }, { type: 'null' }] },
        },
      },
      Colour: { type: 'string', enum: ['RED', 'BLUE'] },
    })
  })

  test('error: one name for two selections of a type', () => {
    const selectTwice = () =>
      selectionSchemas(schema, parse('{ car { spare { size } wheels { colour } } }'))
    expect(selectTwice).toThrow('Wheel is selected in two ways')
  })

  test('behavior: a root named body is the body', () => {
    const { body, components } = selectionSchemas(schema, parse('{ body: car { name } }'))
    expect(body).toEqual({ $ref: '#/components/schemas/Car' })
    expect(components.Car?.required).toEqual(['name'])
  })
})
