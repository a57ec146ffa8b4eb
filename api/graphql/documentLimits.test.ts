import { parse } from 'graphql'
import { describe, expect, test } from 'vitest'
import { documentLimitViolations, repeatViolations } from './documentLimits.ts'

function nested(depth: number): string {
  return `${'a { '.repeat(depth - 1)}a${' }'.repeat(depth - 1)}`
}

describe('documentLimitViolations', () => {
  test('default', () => {
    expect(documentLimitViolations(parse(`{ ${nested(12)} }`))).toEqual([])
  })

  test('error: one field too deep', () => {
    expect(documentLimitViolations(parse(`{ ${nested(13)} }`))).toEqual([
      'the operation is 13 fields deep; at most 12',
    ])
  })

  test('behavior: depth goes through fragments, which add none themselves', () => {
    const document = parse(
      `{ a { ...one } } fragment one on A { ... on A { ...two } } fragment two on A { ${nested(12)} }`,
    )
    expect(documentLimitViolations(document)).toEqual([
      'the operation is 13 fields deep; at most 12',
    ])
  })

  test('behavior: introspection may go deeper', () => {
    expect(documentLimitViolations(parse(`{ __schema { ${nested(19)} } }`))).toEqual([])
    expect(documentLimitViolations(parse(`{ __schema { ${nested(20)} } }`))).toHaveLength(1)
  })

  test('error: the schema is read once', () => {
    const twice = 'the operation has __schema more than once'
    const once = parse('{ __schema { a } ...f ...f t: __type { a } } fragment f on Query { b }')
    expect(documentLimitViolations(once)).toEqual([])
    expect(documentLimitViolations(parse('{ a: __schema { a } b: __schema { a } }'))).toEqual([
      twice,
    ])
    const hidden =
      '{ __schema { a } ... on Query { ...f } } fragment f on Query { c: __schema { a } }'
    expect(documentLimitViolations(parse(hidden))).toEqual([twice])
    expect(documentLimitViolations(parse('{ a: __type { a } b: __type { a } }'))).toEqual([
      'the operation has __type more than once',
    ])
  })

  test('behavior: aliases of a fragment count where it is spread', () => {
    const fragment = `fragment f on A { ${Array.from({ length: 10 }, (_, n) => `b${n}: b`).join(' ')} }`
    expect(documentLimitViolations(parse(`{ a { ...f ...f ...f } } ${fragment}`))).toEqual([])
    expect(documentLimitViolations(parse(`{ a { ...f ...f ...f x: b } } ${fragment}`))).toEqual([
      'the operation has 31 aliases; at most 30',
    ])
  })

  test('error: an object that is selected too often at one place', () => {
    const once = 'a { b c } ... { a { d } }'
    expect(repeatViolations(parse(`{ ${once.repeat(5)} }`))).toEqual([])
    const repeated = ['a is selected more than 10 times at one place']
    expect(repeatViolations(parse(`{ ${once.repeat(5)} a { b } }`))).toEqual(repeated)
    const hidden = `{ ${once.repeat(5)} ...f } fragment f on Query { x: a { b } a: c { ...f } }`
    expect(repeatViolations(parse(hidden))).toEqual(repeated)
  })

  test('behavior: scalars may be selected as often as tokens allow', () => {
    expect(repeatViolations(parse(`{ ${'a '.repeat(900)} }`))).toEqual([])
  })

  test('behavior: fragments that double each other are measured in a moment', () => {
    const doubling = Array.from(
      { length: 200 },
      (_, n) => `fragment f${n} on A { ...f${n + 1} ...f${n + 1} }`,
    )
    const document = parse(`{ ...f0 } ${doubling.join(' ')} fragment f200 on A { x: b }`)
    expect(documentLimitViolations(document)).toHaveLength(1)
  })
})
