import { refusedToken } from './authenticate.ts'

/**
 * The token of a request that carries it as the password of HTTP Basic, with any user name; undefined where the
 * header is of another scheme. For clients of other products that can't send a `Bearer` token.
 */
export function basicToken(authorization: string): string | undefined {
  const [, text = ''] = /^basic +(\S+)$/i.exec(authorization) ?? []
  if (text === '') return undefined
  const [, password = ''] = /^[^:]*:(.*)$/s.exec(Buffer.from(text, 'base64').toString()) ?? []
  if (password === '') throw refusedToken('format', 'Send an API key as the password.')
  return password
}
