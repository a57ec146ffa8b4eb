/** The name of the OIDC provider in paths and in the database. */
export const OIDC_PROVIDER = 'oidc'
