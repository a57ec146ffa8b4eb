/**
 * On every answer: browsers neither guess another content type nor show it in a frame. A route that
 * serves a page sets its own `content-security-policy`. Strict-Transport-Security belongs to the proxy that ends TLS.
 */
export const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
} as const
