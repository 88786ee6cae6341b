import { isDeepStrictEqual } from 'node:util'
import { type FieldError, Problem } from './errors.ts'
import { type Connector, type ConnectorUpdate, READ_ONLY } from './schema.ts'

/** Lets whoever sends back what was answered do so, and refuses to change what nobody changes. */
export function requireUnchanged(body: ConnectorUpdate, shown: Connector): void {
  const errors = READ_ONLY.flatMap((field): FieldError[] => {
    if (!Object.hasOwn(body, field) || isDeepStrictEqual(body[field], shown[field])) return []
    return [{ pointer: `/${field}`, message: 'can’t be changed; leave it out, or send what it is now' }]
  })
  if (errors.length > 0) throw new Problem('invalid_request', { errors })
}
