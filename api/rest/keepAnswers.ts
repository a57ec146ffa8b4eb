import { isDeepStrictEqual } from 'node:util'
import type { FastifyRequest } from 'fastify'
import type { Address } from 'viem'
import type { AppContext } from '../../domain/appContext.ts'
import type { GivenRoot } from '../../schema/builder.ts'
import { requestContextOf } from '../http/requestContext.ts'
import type { Answer, ReadAnswer } from './answer.ts'
import { argumentsOf } from './readParameters.ts'
import type { Route } from './route.ts'

type KeptResource<Args, Resource> = {
  /** Reads by the arguments of the root field. Throws what it throws. */
  read(context: AppContext, args: Args): Promise<Resource>
  /** The object with which the answer is kept: the same one for as long as it is unchanged. By default the resource. */
  keyOf?(resource: Resource): object
  /** The tokens that the answer names. It lacks an unknown one while the node of its chain fails, and is not kept then. */
  tokensOf?(resource: Resource): { chainId: number; address: Address }[]
  /** All else that the answer depends on, compared by its values; null for an answer that must not be kept. By default nothing. */
  markOf?(context: AppContext, resource: Resource): Promise<string | object | null>
  /** Hands the resource to the root field. */
  rootOf(resource: Resource): GivenRoot
}

type Kept = { answer: Answer; mark: string | object }

/** How many callers one resource keeps answers for. More organizations rarely ask for the same one. */
const MOST_READERS = 16

/**
 * Reads the resource for every request. Makes the answer again only if its key or the mark has changed. Each organization has
 * its own answer about what only its members see. An answer is dropped with its key, so the cache of the keys and the number of
 * readers are its bound.
 */
export function keepAnswers<Args, Resource extends object>({
  keyOf = (resource) => resource,
  tokensOf = () => [],
  markOf = async () => '',
  ...resource
}: KeptResource<Args, Resource>) {
  return (route: Pick<Route, 'parameters' | 'cache'>, readAnswer: ReadAnswer): ReadAnswer => {
    const answers = new WeakMap<object, Map<string, Kept>>()
    const isPrivate = route.cache === 'private, no-cache'
    return async (variables, request: FastifyRequest) => {
      const context = requestContextOf(request)
      // Cast, because the values are those of the route's own parameters.
      const found = await resource.read(context, argumentsOf(route, variables) as Args)
      const isKnown = ({ chainId, address }: { chainId: number; address: Address }) =>
        context.tokens.known(chainId, address) !== undefined
      const mark = tokensOf(found).every(isKnown) ? await markOf(context, found) : null
      const readers = answers.get(keyOf(found)) ?? new Map<string, Kept>()
      const reader = (isPrivate && context.caller?.organizationId) || ''
      const known = readers.get(reader)
      // An answer that lacks the rows of a chain is an error, which names the chain.
      const isWhole = context.lostChains.length === 0
      if (known && isWhole && isDeepStrictEqual(known.mark, mark)) return known.answer
      const answer = await readAnswer(variables, request, resource.rootOf(found))
      // While a chain is degraded, the mark and the answer may have read different things.
      const isSure = mark !== null && context.degraded.size === 0
      if (isSure) {
        readers.delete(reader)
        answers.set(keyOf(found), readers.set(reader, { answer, mark }))
        // The first one was made longest ago.
        const [oldest] = readers.keys()
        if (readers.size > MOST_READERS && oldest !== undefined) readers.delete(oldest)
      }
      return answer
    }
  }
}
