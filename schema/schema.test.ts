import { isEnumType, isInterfaceType, isObjectType } from 'graphql'
import { expect, test } from 'vitest'
import { schema } from './schema.ts'

test('behavior: every type, field, argument and value is described', () => {
  const bare: string[] = []
  for (const type of Object.values(schema.getTypeMap())) {
    if (type.name.startsWith('__')) continue
    if (!type.description) bare.push(type.name)
    if (isEnumType(type))
      for (const value of type.getValues())
        if (!value.description) bare.push(`${type.name}.${value.name}`)
    if (!isObjectType(type) && !isInterfaceType(type)) continue
    for (const field of Object.values(type.getFields())) {
      if (!field.description) bare.push(`${type.name}.${field.name}`)
      for (const argument of field.args)
        if (!argument.description) bare.push(`${type.name}.${field.name}(${argument.name})`)
    }
  }
  expect(bare).toEqual([])
})
