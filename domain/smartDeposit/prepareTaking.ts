import type { Address } from 'viem'
import { type PreparedCall, prepareCall } from '../call/preparedCall.ts'
import type { inputsOf } from './settlementCall.ts'

type Inputs = ReturnType<typeof inputsOf>

/** The destination's request, at the factory, after whose delay it may take what lies at an address. */
export function prepareTakingRequest(factory: Address, inputs: Inputs): PreparedCall {
  return prepareCall({ to: factory, value: 0n }, 'depositFactory.requestWithdrawal', [inputs])
}

/** The destination takes all of a token. The zero address is the chain's coin. */
export function prepareTaking(factory: Address, inputs: Inputs, token: Address): PreparedCall {
  return prepareCall({ to: factory, value: 0n }, 'depositFactory.withdraw', [inputs, token])
}
