import type { Endpoint } from './webhookStatus.ts'

/** An endpoint as the wizard edits it. */
export type EndpointDraft = {
  url: string
  description: string
  eventTypes: readonly string[]
  filterKind: 'own' | 'all' | 'expression'
  expression: string
  ordering: Endpoint['ordering']
  /** A header per line, `name: value`; empty to leave them as they are. */
  headers: string
}

export const NEW_ENDPOINT: EndpointDraft = {
  url: '',
  description: '',
  eventTypes: [],
  filterKind: 'own',
  expression: '',
  ordering: 'RESOURCE',
  headers: '',
}

export function draftOf({
  url,
  description,
  eventTypes,
  filter,
  ordering,
}: Endpoint): EndpointDraft {
  const filterKind = filter === null ? 'own' : filter === '' ? 'all' : 'expression'
  return {
    url,
    description,
    eventTypes,
    filterKind,
    expression: filter ?? '',
    ordering,
    headers: '',
  }
}

/** The parameters of a draft. */
export function endpointParameters(draft: EndpointDraft) {
  const { url, description, eventTypes, filterKind, expression, ordering } = draft
  const filters = { own: null, all: '', expression }
  return {
    url: url.trim(),
    description,
    eventTypes: [...eventTypes],
    filter: filters[filterKind],
    ordering,
    ...(draft.headers.trim() === '' ? {} : { headers: headersOf(draft.headers) }),
  }
}

/** A line without a colon becomes a name without a value, which the API refuses. */
function headersOf(text: string) {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return lines.map((line) => {
    const [name = '', ...value] = line.split(':')
    return { name: name.trim(), value: value.join(':').trim() }
  })
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
