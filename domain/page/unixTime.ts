/** The last Unix time that is taken as seconds: in the year 5138. A larger one is in milliseconds. */
export const LAST_UNIX_TIME = 99_999_999_999

export const UNIX_TIME_EXPECTED = 'expected Unix time in seconds'
export const UNIX_TIME_IN_MILLISECONDS = `${UNIX_TIME_EXPECTED}, and this one is in milliseconds`
