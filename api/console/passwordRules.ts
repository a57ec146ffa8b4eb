/** Long passwords are hashed slowly. */
export const LEAST_PASSWORD_CHARACTERS = 12
export const MOST_PASSWORD_CHARACTERS = 128
