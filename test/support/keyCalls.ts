import { expect } from 'vitest'
import { parseKey } from '../../domain/access/keyFormat.ts'
import { undescribed } from './describedAnswer.ts'
import { noteSecret } from './handedOut.ts'

export type Key = Record<string, unknown> & { publicId: string }
export type Body = {
  apiKey: Key
  apiKeys: Key[]
  replaced: Key
  secret: string
  nextPageToken: string | null
  error: {
    message: string
    details: { reason?: string; metadata?: object; fieldViolations?: { field: string }[] }[]
  }
}

/** Requests about keys, by default with the key of `target`; each answer is checked against docs/openapi.json. */
export function createKeyCalls(target: () => { url: string; key: string }) {
  return async (
    method: string,
    path: string,
    { body, key = target().key }: { body?: object; key?: string } = {},
  ) => {
    const url = target().url + path
    const response = await fetch(url, {
      method,
      headers: { 'x-api-key': key, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    const answer = (await response.json()) as Body
    expect(undescribed(url, response.status, answer, method.toLowerCase())).toEqual([])
    if (answer.secret) noteSecret(parseKey(answer.secret).secret)
    return { status: response.status, headers: response.headers, body: answer }
  }
}

/** The detail of an error that has its reason. */
export const detailOf = ({ body }: { body: Body }) =>
  body.error.details.find(({ reason }) => reason)

/** The status and the reason of an error. */
export const reasonOf = (answer: { status: number; body: Body }) => [
  answer.status,
  detailOf(answer)?.reason,
]

/** The fields that an error names. */
export const fieldsOf = ({ body }: { body: Body }) =>
  body.error.details.flatMap(({ fieldViolations = [] }) =>
    fieldViolations.map(({ field }) => field),
  )
