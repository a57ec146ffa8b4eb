/** A wait of a test that has not ended by then never will, on a busy machine of two cores too. No test states a speed with it. */
export const PATIENCE_MS = 120_000
