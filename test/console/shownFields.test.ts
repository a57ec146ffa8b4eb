import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const FOLDER = join(ROOT, 'console/src/orders')
/** The timeline shows these. Who gets the integrator's fee is no concern of the payer. */
const NOT_SHOWN = [
  'sourceTxHash',
  'integratorFeeReceiver',
  'receiveTime',
  'createdAt',
  'updatedAt',
  'orderExecuteds',
  'orderForceRemoveds',
]

test('the page of an order shows each field, or leaves it out on purpose', async () => {
  const files = (await readdir(FOLDER)).filter((name) => !name.includes('.test.'))
  const texts = await Promise.all(files.map((name) => readFile(join(FOLDER, name), 'utf8')))
  const code = texts.join('\n')
  const isShown = (name: string) => new RegExp(`\\b${name}\\b`).test(code)
  const fields = await fieldsOfOrder()
  expect(fields).toContain('remainingAmountDue')
  expect(fields.filter((name) => !isShown(name))).toEqual(
    fields.filter((name) => NOT_SHOWN.includes(name)),
  )
})

async function fieldsOfOrder(): Promise<string[]> {
  const sdl = await readFile(join(ROOT, 'schema/schema.graphql'), 'utf8')
  const [, fields = ''] = /^type TransitOrder \{\n(.*?)^\}/ms.exec(sdl) ?? []
  return [...fields.matchAll(/^ {2}(\w+)[(:]/gm)].map(([, name = '']) => name)
}
