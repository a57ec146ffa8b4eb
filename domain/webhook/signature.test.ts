import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { randomSigningSecret, signedHeaders } from './signature.ts'

const secrets = [randomSigningSecret(), randomSigningSecret()]
const message = {
  id: 'evt_1',
  timestamp: Math.floor(Date.now() / 1_000),
  body: '{"id":"evt_1","type":"ping","said":"é"}',
}

describe('signedHeaders', () => {
  test('default: the vector of the Standard Webhooks specification', () => {
    const headers = signedHeaders(
      {
        id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
        timestamp: 1_614_265_330,
        body: '{"test": 2432232314}',
      },
      ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
    )
    expect(headers['webhook-signature']).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')
  })

  test('behavior: the package of Standard Webhooks verifies it, with either secret', () => {
    const headers = signedHeaders(message, secrets)
    for (const secret of secrets)
      expect(new Webhook(secret).verify(message.body, headers)).toMatchObject({ id: 'evt_1' })
    expect(() => new Webhook(randomSigningSecret()).verify(message.body, headers)).toThrow()
    expect(() => new Webhook(secrets[0] ?? '').verify(`${message.body} `, headers)).toThrow()
  })
})
