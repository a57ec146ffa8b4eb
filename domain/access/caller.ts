/** Who a valid API key speaks for. */
export type Caller = {
  organizationId: string
  keyId: string
}
