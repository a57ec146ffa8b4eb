import type { OracleDeployment } from './oracleBook.ts'
import { logsOf, type OracleChain, type OracleLog } from './oracleChain.ts'
import { accountantAt, firstBlock, RATE_UPDATED } from './oracleSeries.ts'

type Place = Pick<OracleLog, 'block' | 'index'>

/** The rates of a vault by the logs of the accountants in use. */
export type OracleRates = {
  /** The rate that held at a log. */
  at(log: Place): bigint
  /** Whether the rate was updated before a log. */
  isUpdatedAt(log: Place): boolean
  opening: bigint
  now: bigint
}

/** Without any update, the rate that the accountant gives now. */
export async function openRates(at: {
  chain: OracleChain
  deployment: OracleDeployment
}): Promise<OracleRates> {
  const { chain, deployment } = at
  const accountants = deployment.accountants.map(({ address }) => address)
  const updates = logsOf(chain, accountants, RATE_UPDATED).filter(
    ({ address, block }) => address === accountantAt(deployment, block),
  )
  const [first] = updates
  const isFromBirth = first !== undefined && first.block === firstBlock(at)
  const opening =
    first?.words[isFromBirth ? 1 : 0] ??
    (await chain.ask({ to: accountants.at(-1) ?? '' }, 'getRate()'))
  const last = ({ block, index }: Place) =>
    updates.findLast(
      (update) => update.block < block || (update.block === block && update.index < index),
    )
  return {
    at: (log) => last(log)?.words[1] ?? opening,
    isUpdatedAt: (log) => last(log) !== undefined,
    opening,
    now: updates.at(-1)?.words[1] ?? opening,
  }
}
