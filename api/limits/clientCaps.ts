/** The most that one key, or one address without a key, may have open at a process. */
export type ClientCaps = {
  connectionsPerAddress: number
  connectionsPerKey: number
  /** Requests with `waitSeconds` that wait, and streams. */
  heldPerAddress: number
  heldPerKey: number
}
