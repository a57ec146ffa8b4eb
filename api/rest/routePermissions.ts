import { Kind } from 'graphql'
import { type Permission, permissionOf } from '../../domain/access/permissions.ts'
import { prepareOperation } from '../graphql/prepareOperation.ts'
import type { Route } from './route.ts'

/** What callers of a route need: the permissions of the root fields that its document asks for. */
export function routePermissions({ document }: Pick<Route, 'document'>): Permission[] {
  const { operation } = prepareOperation(document)
  return operation.selectionSet.selections.flatMap((selection) => {
    if (selection.kind !== Kind.FIELD)
      throw new Error('Invariant(routePermissions): a stored document with a fragment as root')
    return permissionOf(selection.name.value) ?? []
  })
}
