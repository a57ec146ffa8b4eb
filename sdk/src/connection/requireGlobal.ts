import { CausewayError } from '../error/causewayError.ts'

/** Throws `PLATFORM_LACKS` where the platform has no such global. What would follow is a failure that names nothing. */
export function requireGlobal(name: 'fetch' | 'crypto'): void {
  if (!(name in globalThis)) throw platformLacks(name)
}

export function platformLacks(missing: string): CausewayError {
  return new CausewayError({
    reason: 'PLATFORM_LACKS',
    metadata: { missing },
    message: `this platform has no ${missing}: load a polyfill before the client`,
  })
}

/** Whether answers can be read while they come. React Native has neither part. */
export function canStream(): boolean {
  return 'TextDecoder' in globalThis && 'body' in Response.prototype
}
