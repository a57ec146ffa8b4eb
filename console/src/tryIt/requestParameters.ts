import type { Exchange } from './step.ts'

/** Paths that end in a parameter, by the name of the parameter. */
const PATHS: Record<string, string> = {
  getTransitOrder: 'orderId',
  getJourney: 'id',
  getWithdrawalRequest: 'id',
}

/** The parameters of a request as text, by their names in REST. */
export function requestParameters({ operation, url }: Exchange): [name: string, value: string][] {
  const { pathname, searchParams } = new URL(url)
  const name = PATHS[operation]
  const last = decodeURIComponent(pathname.split('/').at(-1) ?? '')
  const first: [string, string][] = name ? [[name, last]] : []
  return [...first, ...searchParams]
}
