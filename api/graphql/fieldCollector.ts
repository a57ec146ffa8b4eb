import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type SelectionSetNode,
} from 'graphql'

export type FieldCollector = (selections: SelectionSetNode | undefined) => FieldNode[]

/** The fragments of a document, by name. */
export function fragmentsOf({ definitions }: DocumentNode): Map<string, FragmentDefinitionNode> {
  return new Map(
    definitions.flatMap((definition) =>
      definition.kind === Kind.FRAGMENT_DEFINITION ? [[definition.name.value, definition]] : [],
    ),
  )
}

/** Returns the fields of a selection set with those of its fragments, each of which counts once, as in an execution. */
export function fieldCollector(document: DocumentNode): FieldCollector {
  const fragments = fragmentsOf(document)
  const known = new Map<SelectionSetNode, FieldNode[]>()

  function collect(selections: SelectionSetNode, spread: Set<string>, fields: FieldNode[]) {
    for (const selection of selections.selections) {
      if (selection.kind === Kind.FIELD) fields.push(selection)
      else if (selection.kind === Kind.INLINE_FRAGMENT)
        collect(selection.selectionSet, spread, fields)
      else if (!spread.has(selection.name.value)) {
        spread.add(selection.name.value)
        const fragment = fragments.get(selection.name.value)
        if (fragment) collect(fragment.selectionSet, spread, fields)
      }
    }
    return fields
  }

  return (selections) => {
    if (!selections) return []
    const fields = known.get(selections) ?? collect(selections, new Set(), [])
    known.set(selections, fields)
    return fields
  }
}

/** The name of a field in the answer. */
export function responseName({ alias, name }: FieldNode): string {
  return (alias ?? name).value
}
