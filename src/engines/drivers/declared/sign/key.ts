import type { Authentication } from '../entry.ts'
import type { Outgoing, Signer } from '../outgoing.ts'
import type { Scope } from '../template/template.ts'
import { fixedSigner } from './fixed.ts'
import { headerOf, withHeader, withQuery } from './request.ts'
import { headerText, required } from './values.ts'

type Key = Extract<Authentication, { kind: 'key' }>

/** A key that is sent with every request. */
export const keySigner = (key: Key, scope: Scope): Signer => fixedSigner((request) => withKey(request, key, scope))

function withKey(request: Outgoing, { in: place, name, value }: Key, scope: Scope): Outgoing {
  switch (place) {
    case 'header':
      return withHeader(request, name, headerText(value, scope))
    case 'query':
      return withQuery(request, name, required(value, scope))
    case 'body':
      return withField(request, name, required(value, scope))
    case 'cookie': {
      const others = headerOf(request, 'cookie')
      const own = `${name}=${encodeURIComponent(required(value, scope))}`
      return withHeader(request, 'cookie', others === undefined ? own : `${others}; ${own}`)
    }
  }
}

/** A body that is a list has no place for it, and stays as it is. */
function withField(request: Outgoing, name: string, value: string): Outgoing {
  const { body = { json: {} } } = request
  if ('form' in body) return { ...request, body: { form: { ...body.form, [name]: value } } }
  if (Array.isArray(body.json)) return request
  return { ...request, body: { json: { ...(body.json as object), [name]: value } } }
}
