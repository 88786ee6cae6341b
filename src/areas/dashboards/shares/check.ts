import { Problem } from '../../../errors.ts'
import type { ShareCreate } from './schema.ts'

const INSIDE: readonly (keyof ShareCreate)[] = ['users', 'roles', 'permission']

/** Which of the two ways of sharing is meant; refuses what mixes them. */
export function requireKind(body: ShareCreate): 'inside' | 'link' {
  const fields = Object.keys(body) as (keyof ShareCreate)[]
  const inside = fields.filter((field) => INSIDE.includes(field))
  if (inside.length === 0) return 'link'
  const others = fields.filter((field) => !INSIDE.includes(field))
  const errors = others.map((field) => ({
    pointer: `/${field}`,
    message: `is of a link, and has no meaning beside ${inside[0]}`
  }))
  if (body.users === undefined && body.roles === undefined) {
    errors.push({ pointer: '/users', message: 'is required beside permission, or roles' })
  }
  if (errors.length > 0) throw new Problem('invalid_request', { errors })
  return 'inside'
}
