import { BaseError, RpcRequestError } from 'viem'

/** Whether a node answered with an error of its own. It may take a smaller request. */
export function isNodeAnswer(error: unknown): boolean {
  return error instanceof BaseError && error.walk((one) => one instanceof RpcRequestError) !== null
}
