import { Kind, print } from 'graphql'
import { prepareOperation } from '../../api/graphql/prepareOperation.ts'

/** Well-formed values by GraphQL type, of resources that do not exist. */
const SAMPLES: Record<string, unknown> = {
  Address: `0x${'1'.repeat(40)}`,
  PayableAddress: `0x${'1'.repeat(40)}`,
  Hash: `0x${'1'.repeat(64)}`,
  Amount: '1',
  UnixTime: 1,
  Int: 1,
  Boolean: true,
  String: 'none',
  '[String!]': ['ping'],
  MemberRole: 'VIEWER',
  TimeOrder: 'asc',
  WithdrawalRequestId: `1:0x${'1'.repeat(40)}:1`,
}

/** Values for the required variables of a document. */
export function sampleVariables(document: string): Record<string, unknown> {
  const { variableDefinitions = [] } = prepareOperation(document).operation
  return Object.fromEntries(
    variableDefinitions.flatMap(({ variable, type }) =>
      type.kind === Kind.NON_NULL_TYPE ? [[variable.name.value, SAMPLES[print(type.type)]]] : [],
    ),
  )
}
