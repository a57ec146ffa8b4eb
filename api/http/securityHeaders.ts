/**
 * On every answer: JSON is never anything else, and nobody's page shows it. A route that serves a page
 * sets its own `content-security-policy`. Strict-Transport-Security is for whoever ends TLS.
 */
export const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
} as const
