import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type SelectionSetNode,
} from 'graphql'

export type Fragments = ReadonlyMap<string, FragmentDefinitionNode>

/** The fragments of a document, by name. */
export function fragmentsOf({ definitions }: DocumentNode): Fragments {
  return new Map(
    definitions.flatMap((definition) =>
      definition.kind === Kind.FRAGMENT_DEFINITION ? [[definition.name.value, definition]] : [],
    ),
  )
}

/** A fragment of a stored document. Throws if the document lacks it. */
export function fragmentNamed(name: string, fragments: Fragments): FragmentDefinitionNode {
  const fragment = fragments.get(name)
  if (!fragment) throw new Error(`Invariant(selectedFields): no fragment ${name}`)
  return fragment
}

/** The fields of a selection, with those of its fragments in their places. */
export function selectedFields(
  { selections }: SelectionSetNode,
  fragments: Fragments,
): FieldNode[] {
  return selections.flatMap((selection) => {
    if (selection.kind === Kind.FIELD) return [selection]
    if (selection.kind === Kind.INLINE_FRAGMENT)
      return selectedFields(selection.selectionSet, fragments)
    return selectedFields(fragmentNamed(selection.name.value, fragments).selectionSet, fragments)
  })
}

/** The name of a field in the answer. */
export function responseName({ alias, name }: FieldNode): string {
  return (alias ?? name).value
}
