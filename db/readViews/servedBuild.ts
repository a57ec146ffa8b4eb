/** The served build of a chain: the Postgres schema in which Ponder keeps the chain's facts. */
export type ServedBuild = { postgresSchema: string; chainId: number }
