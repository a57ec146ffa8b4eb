import { migrate } from '../../db/migrate.ts'
import { startTestProduct, type TestProduct, type TestProductOptions } from '../support/product.ts'
import { startTemporaryPostgres } from '../support/temporaryPostgres.ts'

/** Runs over a migrated database of its own, which is deleted afterwards. */
export async function withDatabase<Result>(
  run: (databaseUrl: string) => Promise<Result>,
): Promise<Result> {
  const postgres = await startTemporaryPostgres()
  try {
    await migrate(postgres.url)
    return await run(postgres.url)
  } finally {
    await postgres.stop()
  }
}

/** Runs over a whole product of its own. */
export function withProduct<Result>(
  options: TestProductOptions,
  run: (product: TestProduct) => Promise<Result>,
): Promise<Result> {
  return withDatabase(async (databaseUrl) => {
    const product = await startTestProduct({ ...options, databaseUrl })
    try {
      return await run(product)
    } finally {
      await product.stop()
    }
  })
}
