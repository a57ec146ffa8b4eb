/** Somebody must do something with the database before this process can use it. The message names it. */
export class DatabaseSetupError extends Error {
  override name = 'DatabaseSetupError'
}
