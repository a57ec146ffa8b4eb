import type { RequestContext } from '../../domain/context.ts'
import { attempt } from '../../domain/error/refuseTogether.ts'
import type { FieldViolation } from '../../domain/error/serviceError.ts'
import type { FilterKeys } from '../../domain/filter/filter.ts'
import type { ListParams } from '../../domain/page/listQuery.ts'
import { DEFAULT_PAGE_SIZE, pageParameters } from '../../domain/page/pageParameters.ts'
import { filterParam } from './params.ts'

/** The query parameters of a list that filters over these keys. */
export function listParameters(keys: FilterKeys) {
  return { filter: filterParam(keys), ...pageParameters }
}

/**
 * What a list's own check refuses of a raw query string, so that one 400 names it beside the
 * parameters that do not even parse.
 */
export function listRefusals(
  check: (context: RequestContext, params: ListParams & Record<string, unknown>) => unknown,
) {
  return (context: RequestContext, input: Record<string, unknown>): FieldViolation[] => {
    const texts = Object.entries(input).filter(([, value]) => typeof value === 'string')
    const params = { ...Object.fromEntries(texts), pageSize: DEFAULT_PAGE_SIZE }
    return attempt(() => check(context, params)).refusal?.fieldViolations ?? []
  }
}
