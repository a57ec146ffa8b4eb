import { CausewayError } from '../error/causewayError.ts'

/** The first state in which this is so. Throws `ENDED_OTHERWISE` if the states end without it. */
export async function waitForEnd<State extends { status: string }>(
  states: AsyncIterable<State | null>,
  isThere: (state: State) => boolean,
): Promise<State> {
  let last: State | null = null
  for await (const state of states) {
    if (state === null) continue
    last = state
    if (isThere(state)) return state
  }
  const status = last?.status ?? 'UNKNOWN'
  throw new CausewayError({
    reason: 'ENDED_OTHERWISE',
    metadata: { status },
    message: `it ended as ${status}, and what was waited for can no longer happen`,
  })
}
