import { z } from 'zod'
import { attempt, refuseTogether } from '../error/refuseTogether.ts'
import { invalidFields, type ServiceError } from '../error/serviceError.ts'
import { parseFilter } from '../filter/parseFilter.ts'
import { type EndpointHeader, refusedHeaders } from './endpointHeaders.ts'
import { EVENT_FILTER_KEYS } from './eventFilter.ts'
import { isEventPattern } from './eventPattern.ts'
import { type KnownVaults, type Selection, unmatchedTypes } from './unmatchedTypes.ts'
import {
  parseTarget,
  resolveTarget,
  type TargetRules,
  WebhookTargetError,
} from './webhookTarget.ts'

/** The settings of an endpoint; an absent one stays, or gets its default. */
export type EndpointParams = {
  url?: string | undefined
  eventTypes?: readonly string[] | undefined
  /** Null for the organization's distributor code. */
  filter?: string | null | undefined
  description?: string | undefined
  /** Replace those before. */
  headers?: readonly EndpointHeader[] | undefined
  ordering?: 'resource' | 'none' | undefined
}

/** The JSON values of two parameters. `checkEndpointParams` checks their content. */
export const eventTypesParam = z.array(
  z.string('expected the names of types'),
  'expected an array of types',
)
export const eventFilterParam = z.string('expected a string, or null').nullable()

const MOST_EVENT_TYPES = 50
const MOST_DESCRIPTION = 200

type Rules = {
  targets: TargetRules
  vaults: KnownVaults
  /** The settings that the parameters replace. */
  before: Selection
}

/**
 * Checks the settings, which includes resolving the URL's host, and returns them with the URL in its stored
 * form. Throws `INVALID_FIELD` or `INVALID_FILTER`, naming every fault.
 */
export async function checkEndpointParams(
  params: EndpointParams,
  { targets, vaults, before }: Rules,
): Promise<EndpointParams> {
  const { url, eventTypes, filter, description, headers } = params
  const checked = attempt(() => parseFilter(filter ?? '', EVENT_FILTER_KEYS))
  const target = url === undefined ? null : await checkUrl(url, targets)
  const refusedTypes = refusedEventTypes(eventTypes)
  // One that came to match nothing, as when its organization lost its code, can still be disabled, or get another URL.
  const isSelecting = eventTypes !== undefined || filter !== undefined
  refuseTogether([
    target?.refusal,
    refusedTypes,
    checked.refusal,
    isSelecting && !refusedTypes && !checked.refusal
      ? refusedSelection(
          {
            ...before,
            eventTypes: eventTypes ?? before.eventTypes,
            filter: filter === undefined ? before.filter : filter,
          },
          vaults,
        )
      : undefined,
    refusedDescription(description),
    refusedHeaders(headers),
  ])
  return {
    ...params,
    url: target?.href,
    eventTypes: eventTypes && [...new Set(eventTypes)],
  }
}

function refused(field: string, description: string): ServiceError {
  return invalidFields([{ field, description }])
}

const KEYS_OF_EVENTS =
  'orders have distributorCode and userAddress, withdrawal requests userAddress and vaultAddress, vaults vaultAddress; vaultAddress is one of /v2/earn/vaults'

/** The refusal of types that the filter lets none of through, with the mend. */
function refusedSelection(selection: Selection, vaults: KnownVaults): ServiceError | undefined {
  const unmatched = unmatchedTypes(selection, vaults)
  if (unmatched.length === 0) return undefined
  const types = unmatched.join(', ')
  const why =
    selection.filter === null
      ? `without a filter only orders with your organization's distributor code do${selection.defaultDistributorCode === null ? ', and it has none' : ''}; set "" for all events, or a filter: `
      : ''
  const description = `expected one that events of ${types} can match: ${why}${KEYS_OF_EVENTS}`
  return invalidFields([{ field: 'filter', description }], 'INVALID_FILTER')
}

/** Postgres cannot store U+0000. */
function refusedDescription(description = ''): ServiceError | undefined {
  if (description.length <= MOST_DESCRIPTION && !description.includes('\0')) return undefined
  return refused(
    'description',
    `expected at most ${MOST_DESCRIPTION} characters, none of them U+0000`,
  )
}

async function checkUrl(
  text: string,
  rules: TargetRules,
): Promise<{ href?: string; refusal?: ServiceError }> {
  try {
    const url = parseTarget(text, rules)
    await resolveTarget(url, rules)
    return { href: url.href }
  } catch (error) {
    if (error instanceof WebhookTargetError) return { refusal: refused('url', error.message) }
    throw error
  }
}

/** The refusal of types or prefixes that no event has. */
export function refusedEventTypes(
  eventTypes: readonly string[] | undefined,
): ServiceError | undefined {
  if (eventTypes === undefined) return undefined
  if (eventTypes.length < 1 || eventTypes.length > MOST_EVENT_TYPES)
    return refused('eventTypes', `expected 1 to ${MOST_EVENT_TYPES} types`)
  const unknown = eventTypes.find((pattern) => !isEventPattern(pattern))
  if (unknown === undefined) return undefined
  const shown = JSON.stringify(unknown.slice(0, 100))
  return refused(
    'eventTypes',
    `there is no event of the type ${shown}; expected a type, or a prefix such as smart_deposit.*`,
  )
}
