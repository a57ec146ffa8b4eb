import { writeFile } from 'node:fs/promises'
import type { RunFile } from '../processes/start/runFile.ts'

/** Whom to ask, and where the answers go: a folder with a slash at its end. */
export type ExampleTarget = Pick<RunFile, 'apiUrl' | 'apiKey'> & { folder: string }

export type ExampleCall = {
  /** Of the file: the operation, and after a dot the status where it is an error. */
  name: string
  method?: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  path: string
  body?: object | undefined
  /** What the file has in place of what was answered. */
  shown?: (answer: object) => object
}

const HEADERS = ['cache-control', 'x-indexed-blocks', 'retry-after']

/** Asks, writes what was answered to a file, and returns it. Throws for another status than the name's. */
export async function writeExample(
  { apiUrl, apiKey, folder }: ExampleTarget,
  { name, method = 'GET', path, body, shown = (answer) => answer }: ExampleCall,
): Promise<object> {
  const response = await fetch(apiUrl + path, {
    method,
    headers: {
      'x-request-id': 'example',
      'x-api-key': apiKey,
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
