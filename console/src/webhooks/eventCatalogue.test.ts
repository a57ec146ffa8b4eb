import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import text from '../../../docs/openapi.json?raw'
import { eventCatalogue } from './eventCatalogue.ts'

const document = JSON.parse(text)
const catalogue = eventCatalogue(document)
const ajv = new Ajv2020({ strict: false, validateFormats: false })
ajv.addSchema(document, 'openapi.json')

test.each(catalogue)('default: the example of $type has its schema', ({ type, example }) => {
  const { $ref } = document.webhooks[type].post.requestBody.content['application/json'].schema
  const isValid = ajv.getSchema(`openapi.json${$ref}`)
  expect(isValid?.(example), JSON.stringify(isValid?.errors)).toBe(true)
  expect(example).toMatchObject({ type })
})

test('behavior: fields have their type in words, and whether they are always there', () => {
  const ping = catalogue.find(({ type }) => type === 'ping')
  expect(ping?.fields.map(({ name, type, isAlways }) => [name, type, isAlways])).toEqual([
    ['id', 'string', true],
    ['type', '"ping"', true],
    ['timestamp', 'string (date-time)', true],
    ['version', '"v2"', true],
    ['sequence', 'integer', true],
    ['endpoint_id', 'string (uuid)', true],
    ['is_test', 'true', false],
  ])
})
