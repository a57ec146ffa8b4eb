/** The name of the OIDC provider in paths and in the database. */
export const OIDC_PROVIDER = 'oidc'
/** The console's page of the sign-in. After a refusal the provider's sign-in leads there, with `?error=…`. */
export const SIGN_IN_PATH = '/console/sign-in'
