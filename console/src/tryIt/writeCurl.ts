import type { Exchange } from './step.ts'

/** A request as a command of a shell. Transit needs no key. */
export function writeCurl({ method, url, body }: Exchange): string {
  const isTransit = /\/(v1\/transit|v3\/core)\//.test(url)
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quoted(url)}`,
    ...(isTransit ? [] : [`-H "x-api-key: $API_KEY"`]),
    ...(body === null ? [] : [`-H 'content-type: application/json'`, `-d ${quoted(body)}`]),
  ].join(' \\\n  ')
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
