import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { codegen } from '@graphql-codegen/core'
import * as operations from '@graphql-codegen/typescript-operations'
import { buildSchema, parse } from 'graphql'

/** The types of documents, as GraphQL Code Generator makes them with the configuration of docs/api.md. */
export async function generateGraphqlTypes(sdl: string, document: string): Promise<string> {
  const page = await readFile(join(import.meta.dirname, '../../docs/api.md'), 'utf8')
  const config = JSON.parse(/```json\n(\{\n {2}"strictScalars".+?)```/s.exec(page)?.[1] ?? '')
  return codegen({
    filename: 'types.ts',
    schema: parse(sdl),
    schemaAst: buildSchema(sdl),
    documents: [{ document: parse(document) }],
    config,
    plugins: [{ operations: {} }],
    pluginMap: { operations },
  })
}
