import type { Endpoint } from './webhookStatus.ts'

/** An endpoint as the wizard edits it. */
export type EndpointDraft = {
  url: string
  description: string
  eventTypes: readonly string[]
  filterKind: 'own' | 'all' | 'expression'
  expression: string
}

export const NEW_ENDPOINT: EndpointDraft = {
  url: '',
  description: '',
  eventTypes: [],
  filterKind: 'own',
  expression: '',
}

export function draftOf({ url, description, eventTypes, filter }: Endpoint): EndpointDraft {
  const filterKind = filter === null ? 'own' : filter === '' ? 'all' : 'expression'
  return { url, description, eventTypes, filterKind, expression: filter ?? '' }
}

/** The parameters of a draft. */
export function endpointParameters(draft: EndpointDraft) {
  const { url, description, eventTypes, filterKind, expression } = draft
  const filters = { own: null, all: '', expression }
  return {
    url: url.trim(),
    description,
    eventTypes: [...eventTypes],
    filter: filters[filterKind],
  }
}

/**
 * The types after one was chosen or not. A pattern such as `transit.*` stands for the types that it selects, so these are
 * not listed beside it.
 */
export function withType(
  chosen: readonly string[],
  pattern: string,
  isChosen: boolean,
): readonly string[] {
  const others = chosen.filter((type) => type !== pattern && !(isChosen && selects(pattern, type)))
  return isChosen ? [...others, pattern] : others
}

/** Whether a pattern of the API selects a type or another pattern. */
export function selects(pattern: string, type: string): boolean {
  if (pattern === '*') return true
  return pattern.endsWith('.*') ? type.startsWith(pattern.slice(0, -1)) : pattern === type
}
