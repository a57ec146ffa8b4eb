/** A value of the configuration that is allowed, and that production should have for a reason only. */
export type Doubt = { message: string; advice: string }
