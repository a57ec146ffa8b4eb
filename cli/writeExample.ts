import { writeFile } from 'node:fs/promises'
import type { RunFile } from '../processes/start/runFile.ts'

/** The API to call, and the folder for its answers, with a slash at the end. */
export type ExampleTarget = Pick<RunFile, 'apiUrl' | 'apiKey'> & {
  folder: string
  /** The headers of a session, in place of the key. */
  headers?: Record<string, string>
}

export type ExampleCall = {
  /** The name of the file: the operation, and after a dot the status of an error. */
  name: string
  method?: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  path: string
  body?: object | undefined
  /** Changes the answer before it is written. */
  shown?: (answer: object) => object
}

const HEADERS = ['cache-control', 'x-indexed-blocks', 'retry-after']

/** Calls the API, writes the answer to a file and returns it. Throws if its status is not the name's. */
export async function writeExample(
  { apiUrl, apiKey, folder, headers: sent = { 'x-api-key': apiKey } }: ExampleTarget,
  { name, method = 'GET', path, body, shown = (answer) => answer }: ExampleCall,
): Promise<object> {
  const response = await fetch(apiUrl + path, {
    method,
    headers: {
      'x-request-id': 'example',
      ...sent,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (response.status !== Number(name.split('.')[1] ?? 200))
    throw new Error(`${path} answers ${response.status}: ${await response.text()}`)
  const headers = HEADERS.flatMap((header) => {
    const value = response.headers.get(header)
    return value === null ? [] : [[header, value]]
  })
  const answer = (await response.json()) as object
  const example = {
    request: `${method} ${path}`,
    ...(body && { requestBody: body }),
    status: response.status,
    headers: Object.fromEntries(headers),
    body: shown(answer),
  }
  await writeFile(`${folder}${name}.json`, `${JSON.stringify(example, null, 2)}\n`)
  process.stdout.write(`${name}\n`)
  return answer
}
