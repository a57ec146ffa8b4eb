import { isIPv6 } from 'node:net'

type Environment = { API_HOST: string; API_PORT: number }

/** The URL of the api that `npm start` runs. */
export function apiUrlOf({ API_HOST: host, API_PORT: port }: Environment): string {
  return `http://${isIPv6(host) ? `[${host}]` : host}:${port}`
}
