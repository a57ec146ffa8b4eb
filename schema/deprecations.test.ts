import { readFileSync } from 'node:fs'
import { isObjectType } from 'graphql'
import { expect, test } from 'vitest'
import { DEPRECATIONS, deprecated } from './deprecations.ts'
import { schema } from './schema.ts'

const marked = Object.values(schema.getTypeMap()).flatMap((type) =>
  isObjectType(type) && !type.name.startsWith('__')
    ? Object.values(type.getFields()).flatMap(({ name, deprecationReason }) =>
        deprecationReason ? [[`${type.name}.${name}`, deprecationReason]] : [],
      )
    : [],
)

test('default: the schema marks what the list has, and nothing else', () => {
  const listed = Object.keys(DEPRECATIONS).map((field) => [
    field,
    deprecated(field).deprecationReason,
  ])
  expect(marked.toSorted()).toEqual(listed.toSorted())
})

test.each(Object.entries(DEPRECATIONS))(
  'behavior: %s stays for a year, and the page of deprecations has it',
  (field, { since, until, instead }) => {
    const [from, to] = [new Date(since), new Date(until)]
    from.setUTCFullYear(from.getUTCFullYear() + 1)
    expect(to.getTime()).toBeGreaterThanOrEqual(from.getTime())
    const page = readFileSync(new URL('../docs/deprecations.md', import.meta.url), 'utf8')
    const [type, name] = field.split('.')
    const row = page
      .split('\n')
      .find((line) => line.includes(`\`${type}\``) && line.includes(`\`${name}\``))
    for (const part of [since, until, instead]) expect(row).toContain(part)
  },
)

test('error: a field that is not listed', () => {
  expect(() => deprecated('Query.nothing')).toThrow('is not listed')
})
