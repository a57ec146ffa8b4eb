import { lexicographicSortSchema, printSchema } from 'graphql'
import { schema } from './schema.ts'

/** The schema as text, sorted by name. */
export function sdl(): string {
  return `${printSchema(lexicographicSortSchema(schema))}\n`
}
