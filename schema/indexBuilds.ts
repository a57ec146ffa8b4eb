import {
  type IndexBuild,
  type IndexBuildPage,
  indexBuildQuery,
  listIndexBuildPage,
} from '../domain/health/indexBuildList.ts'
import { builder } from './builder.ts'
import { fieldsOf, nonNull, nullable } from './fieldsOf.ts'
import { listField } from './listField.ts'
import { pageRef } from './page.ts'

const IndexBuildStateRef = builder.enumType('IndexBuildState', {
  description: 'The state of a build.',
  values: {
    BUILDING: { value: 'building', description: 'It is being made.' },
    SERVED: { value: 'served', description: 'The chain is answered from it.' },
    RETIRED: { value: 'retired', description: 'Another build has replaced it.' },
    FAILED: { value: 'failed', description: 'It cannot be served; `error` is the cause.' },
  } as const,
})

const IndexBuildRef = builder.objectRef<IndexBuild>('IndexBuild').implement({
  description: 'One indexing of a chain by one version of the code and the address book.',
  fields: fieldsOf(() => ({
    chainId: nonNull.int('The chain id.'),
    postgresSchema: nonNull.string('The Postgres schema of the build, which is its name.'),
    buildHash: nonNull.string(
      'A hash over what the build depends on: code, address book, ordered rebuilds.',
    ),
    state: nonNull.of(IndexBuildStateRef, 'The state of the build.'),
    block: nullable.blockNumber('The newest indexed block. Null before the first.'),
    head: nullable.blockNumber("The node's newest block. Null while no node answers."),
    isReady: nonNull.boolean('Whether the history of all its chains is indexed.'),
    createdAt: nonNull.dateTime('The time at which it was begun, or begun again.'),
    servedAt: nullable.dateTime(
      'The time since which, or at which, it was last served. Null if it never was.',
    ),
    rebuildReason: nullable.string(
      'The reason for which the chain is indexed anew. Null where it is not.',
    ),
    error: nullable.string('The first line of the last error. Null without one.'),
  })),
})

const IndexBuildPageRef = pageRef<IndexBuildPage>('IndexBuildPage', {
  description: 'A page of builds by chain; of each chain the newest first.',
  fields: { indexBuilds: nonNull.of([IndexBuildRef], 'The builds.') },
})

listField('indexBuilds', {
  type: IndexBuildPageRef,
  reads: 'chains',
  description: 'The builds of the index of every chain, with their progress. For operators.',
  query: indexBuildQuery,
  list: listIndexBuildPage,
})
