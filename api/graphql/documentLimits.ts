import {
  type DocumentNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  visit,
} from 'graphql'
import { fieldCollector, fragmentsOf, responseName } from './fieldCollector.ts'

/** The parser counts them, so that it stops early at a large text. */
export const MAX_TOKENS = 2_000
const MAX_DEPTH = 12
/** The introspection query of common tools nests `ofType` nine times. */
const MAX_INTROSPECTION_DEPTH = 20
const MAX_ALIASES = 30
/**
 * The times that an object may select the same object, also by fragments. Validation compares each with each other:
 * without this limit, a text of six kilobytes takes it a tenth of a second.
 */
const MAX_REPEATS = 10
/** Each returns a part of the same schema, which a tool reads once. */
const ONCE = ['__schema', '__type']

type Extent = { depth: number; aliases: number }

/** Measures selections with their fragments. Each fragment is measured once, however often it is spread. */
function measurer(document: DocumentNode) {
  const fragments = fragmentsOf(document)
  const measured = new Map<string, Extent>()

  function fragmentExtent(name: string): Extent {
    const known = measured.get(name)
    if (known) return known
    const extent = measure(fragments.get(name)?.selectionSet)
    measured.set(name, extent)
    return extent
  }

  function measure(selectionSet: SelectionSetNode | undefined): Extent {
    const total = { depth: 0, aliases: 0 }
    for (const selection of selectionSet?.selections ?? []) {
      const inner =
        selection.kind === Kind.FRAGMENT_SPREAD
          ? fragmentExtent(selection.name.value)
          : measure(selection.selectionSet)
      const isField = selection.kind === Kind.FIELD
      total.depth = Math.max(total.depth, inner.depth + (isField ? 1 : 0))
      total.aliases += inner.aliases + (isField && selection.alias ? 1 : 0)
    }
    return total
  }
  return measure
}

function isIntrospection(operation: OperationDefinitionNode): boolean {
  return operation.selectionSet.selections.every(
    (selection) => selection.kind === Kind.FIELD && selection.name.value.startsWith('__'),
  )
}

/** Where a document repeats itself too often to be validated; empty where it does not. */
export function repeatViolations(document: DocumentNode): string[] {
  const fieldsOf = fieldCollector(document)
  const repeated = new Set<string>()
  visit(document, {
    SelectionSet(selections) {
      const times = new Map<string, number>()
      for (const field of fieldsOf(selections)) {
        if (!field.selectionSet) continue
        const key = responseName(field)
        const count = (times.get(key) ?? 0) + 1
        times.set(key, count)
        if (count > MAX_REPEATS) repeated.add(key)
      }
    },
  })
  return [...repeated].map(
    (key) => `${key} is selected more than ${MAX_REPEATS} times at one place`,
  )
}

/** The limits that a valid document exceeds; empty where it fits. */
export function documentLimitViolations(document: DocumentNode): string[] {
  const measure = measurer(document)
  const fieldsOf = fieldCollector(document)
  return document.definitions.flatMap((definition) => {
    if (definition.kind !== Kind.OPERATION_DEFINITION) return []
    const { depth, aliases } = measure(definition.selectionSet)
    const roots = fieldsOf(definition.selectionSet).map(({ name }) => name.value)
    const repeated = ONCE.filter((name) => roots.filter((root) => root === name).length > 1)
    const maxDepth = isIntrospection(definition) ? MAX_INTROSPECTION_DEPTH : MAX_DEPTH
    return [
      ...repeated.map((name) => `the operation has ${name} more than once`),
      ...(depth > maxDepth ? [`the operation is ${depth} fields deep; at most ${maxDepth}`] : []),
      ...(aliases > MAX_ALIASES
        ? [`the operation has ${aliases} aliases; at most ${MAX_ALIASES}`]
        : []),
    ]
  })
}
