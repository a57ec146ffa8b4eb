import { get, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'

export type CsvAnswer = {
  status: number
  headers: IncomingMessage['headers']
  trailers: IncomingMessage['trailers']
  text: string
}

/** One GET over HTTP that asks for CSV; with the trailers, which `fetch` does not show. Rejects if the answer is cut. */
export async function getCsv(
  url: string,
  headers: Record<string, string> = {},
): Promise<CsvAnswer> {
  const message = await openCsv(url, headers)
  const body = await text(message)
  return {
    status: message.statusCode ?? 0,
    headers: message.headers,
    trailers: message.trailers,
    text: body,
  }
}

/** The same, when its headers have arrived. */
export function openCsv(
  url: string,
  headers: Record<string, string> = {},
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get(url, { agent: false, headers: { accept: 'text/csv', ...headers } }, resolve).once(
      'error',
      reject,
    )
  })
}

/** The cells of a table by RFC 4180, line by line. */
export function parseCsv(table: string): string[][] {
  const lines: string[][] = [[]]
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy
  let end = 0
  for (const [whole, quoted, plain = '', separator] of table.matchAll(cell)) {
    lines.at(-1)?.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'))
    if (separator === '\r\n') lines.push([])
    end += whole.length
  }
  if (end !== table.length) throw new Error(`not RFC 4180 from character ${end}`)
  return lines.slice(0, -1)
}

/** The rows of a table by the names of its header. */
export function csvRecords(table: string): Record<string, string>[] {
  const [names = [], ...rows] = parseCsv(table)
  return rows.map((cells) => Object.fromEntries(names.map((name, at) => [name, cells[at] ?? ''])))
}
