import {
  type FieldNode,
  type GraphQLObjectType,
  type GraphQLOutputType,
  getNamedType,
  getNullableType,
  isListType,
  isObjectType,
} from 'graphql'
import { type AmountToken, tokenOfAmount } from '../../../schema/amountOf.ts'
import { rootField } from '../../../schema/rootField.ts'
import { type FieldCollector, fieldCollector, responseName } from '../../graphql/fieldCollector.ts'
import { prepareOperation } from '../../graphql/prepareOperation.ts'
import type { Route } from '../route.ts'

/** A column: the path of its value in a row. An amount names the fields of its token, beside it. */
export type CsvColumn = {
  name: string
  path: string[]
  isAmount?: boolean
  amountOf?: AmountToken | undefined
}

/** A list as a table: the member of the answer that has the rows, and a column for each value of a row. */
export type CsvList = {
  rows: string
  columns: CsvColumn[]
  /** Whether the root field takes a `pageSize`. */
  isPaged: boolean
}

type ListRoute = Pick<Route, 'method' | 'field' | 'key' | 'document'>

/**
 * The table of a route's list, by its document and the schema; null for a route that answers no list: its root
 * field takes no `pageSize`, and has other members than one list.
 */
export function csvListOf({ method, field, key, document: text }: ListRoute): CsvList | null {
  const { field: root } = rootField(field)
  const page = getNamedType(root.type)
  if (method !== 'GET' || key !== undefined || !isObjectType(page)) return null
  const { document, operation } = prepareOperation(text)
  const fieldsOf = fieldCollector(document)
  const [asked] = fieldsOf(operation.selectionSet)
  const selected = fieldsOf(selectionOf(asked))
  const lists = selected.filter((one) => isListOfObjects(typeOf(page, one)))
  const [list] = lists
  const isPaged = root.args.some(({ name }) => name === 'pageSize')
  if (!list || lists.length > 1 || (!isPaged && selected.length > 1)) return null
  const row = getNamedType(typeOf(page, list))
  if (!isObjectType(row)) return null
  const columns = columnsOf(row, list, { fieldsOf, path: [] })
  return { rows: responseName(list), columns, isPaged }
}

type Place = { fieldsOf: FieldCollector; path: string[] }

/** Objects become a column for each of their values; lists and maps of tokens do not. */
function columnsOf(type: GraphQLObjectType, parent: FieldNode, { fieldsOf, path }: Place) {
  return fieldsOf(selectionOf(parent)).flatMap((field): CsvColumn[] => {
    const inner = getNamedType(typeOf(type, field))
    const here = [...path, responseName(field)]
    if (isObjectType(inner) && !isListType(getNullableType(typeOf(type, field))))
      return columnsOf(inner, field, { fieldsOf, path: here })
    // Amounts are shown in whole tokens instead.
    if (inner.name === 'TokenMetadataMap') return []
    const amountOf = tokenOfAmount(type.getFields()[field.name.value]?.extensions ?? {})
    return [{ name: here.join('.'), path: here, isAmount: inner.name === 'Amount', amountOf }]
  })
}

function isListOfObjects(type: GraphQLOutputType): boolean {
  return isListType(getNullableType(type)) && isObjectType(getNamedType(type))
}

function typeOf(type: GraphQLObjectType, { name }: FieldNode): GraphQLOutputType {
  const field = type.getFields()[name.value]
  if (!field) throw new Error(`Invariant(csvList): ${type} has no ${name.value}`)
  return field.type
}

function selectionOf(field: FieldNode | undefined) {
  if (!field?.selectionSet) throw new Error('Invariant(csvList): an object without a selection')
  return field.selectionSet
}
